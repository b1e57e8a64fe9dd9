// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Glibc
import TestSupport
import Testing

@testable import OpenIDConnect

/// The browser's start URL in the hands of another user of the machine: every user can read it in the browser's
/// arguments.
@Suite(.enabled(if: geteuid() == 0, "needs to become another user, which only root can"), .timeLimit(.minutes(1)))
struct LoopbackPeerTests {
    private static let url = "https://provider.example/logout?id_token_hint=e30.e30.c2ln&state=s"

    /// Runs a program as another user, without this user's environment.
    private static func runAsOtherUser(_ command: String...) async throws -> String {
        let otherUser = ["--reuid=65534", "--regid=65534", "--clear-groups"]
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let output = try await Command("setpriv", otherUser + command, environment: ["PATH": path]).run()
        try #require(output.exitCode == 0, "\(output.errorText)")
        return output.text
    }

    /// Requests a URL as another user.
    private static func requestAsOtherUser(_ url: String) async throws -> RawResponse {
        try RawResponse(try await runAsOtherUser("curl", "-q", "-sS", "-g", "-i", "--noproxy", "*", url))
    }

    @Test func `the browser is redirected, but another user is not`() async throws {
        let loopback = try await Loopback.start()
        try await loopback.listener.send(browserTo: Self.url) { start in
            let foreign = try await Self.requestAsOtherUser(start)
            #expect(foreign.status == 403)
            #expect(foreign.fields["location"] == nil)
            #expect(!foreign.body.contains("id_token_hint"))
            let path = start.dropFirst("http://\(loopback.authority)".count)
            let own = try await loopback.rawResponse(to: loopback.get(String(path)))
            #expect(own.status == 302)
            #expect(own.fields["location"] == Self.url)
        }
    }

    /// The state is also in the browser's arguments: the code would belong to the other user's account.
    @Test func `a code from another user is refused, although the state is right`() async throws {
        let loopback = try await Loopback.start()
        try await loopback.response {
            let foreign = "http://\(loopback.authority)/callback?code=foreign&state=\(loopback.state)"
            let answer = try await Self.requestAsOtherUser(foreign)
            #expect(answer.status == 403)
            #expect(answer.body.contains("Another user of this machine"))
        }
    }

    /// The kernel then reports the socket's owner as user 0.
    @Test func `another user that disconnects at once does not count as root`() async throws {
        let loopback = try await Loopback.start()
        try await loopback.response {
            let request = loopback.get("/callback?code=foreign&state=\(loopback.state)")
            for _ in 0..<5 {
                let script = "exec 3<>/dev/tcp/127.0.0.1/\(loopback.port); printf '%s' \"$0\" >&3"
                _ = try await Self.runAsOtherUser("bash", "-c", script, request)
            }
        }
    }

    @Test func `another user is also refused over IPv6`() async throws {
        let loopback = try await Loopback.start()
        try await loopback.response {
            let target = "/callback?code=foreign&state=\(loopback.state)"
            let text = try await Self.runAsOtherUser(
                "curl",
                "-q",
                "-sS",
                "-g",
                "-i",
                "--noproxy",
                "*",
                "-H",
                "Host: \(loopback.authority)",
                "http://[::1]:\(loopback.port)\(target)"
            )
            #expect(try RawResponse(text).status == 403)
            let own = try await RawConnection.rawResponse(to: loopback.get("/"), at: loopback.port, family: .v6)
            #expect(own.status == 404)
        }
    }
}
#endif
