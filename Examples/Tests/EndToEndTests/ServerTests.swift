// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    @Suite("The tool and the server")
    struct ServerTests {
        /// A time longer than the lifetime of an access token.
        private static let tokenExpiry = Duration.seconds(1_000)
        /// A time longer than the lifetime of an unused session.
        private static let sessionExpiry = Duration.seconds(31 * 86_400)

        @Test func `a refused token causes one 401, one refresh and one retry`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                stage.clock.advance(by: Self.tokenExpiry)
                let jobs = try await stage.tool("api", "GET", "/api/jobs")
                #expect(jobs.exitCode == 0)
                #expect(jobs.errorText.isEmpty)
                let statistics = stage.backend.statistics
                #expect(statistics.count("GET", "/api/jobs", status: 401) == 1)
                #expect(statistics.count("POST", "/api/v1/auth/refresh") == 1)
                #expect(statistics.count("GET", "/api/jobs", status: 200) == 1)
            }
        }

        @Test(arguments: [
            (0, "The server issues access tokens that have already expired."),
            (900, "The server responded with 401, although the access token is new."),
        ])
        func `the tool reports a token that is refused right after its refresh`(
            lifetime: Int,
            sentence: String
        ) async throws {
            let configure: (inout BackendSettings) -> Void = { settings in
                settings.accessTokenLifetime = .seconds(lifetime)
                settings.refuseEarly = .seconds(1_000)
            }
            try await Stage.run(configure: configure) { stage in
                try await stage.signedIn()
                let jobs = try await stage.tool("api", "GET", "/api/jobs")
                #expect(jobs.exitCode == 1)
                #expect(jobs.notes.first == sentence)
                #expect(jobs.notes.last?.hasPrefix("The session stays") == true)
                #expect(try await !stage.stored().isEmpty)
            }
        }

        @Test func `fifty calls with a refused token cause one refresh`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                stage.clock.advance(by: Self.tokenExpiry)
                let jobs = try await stage.tool("api", "GET", "/api/jobs", "--concurrent", "50")
                #expect(jobs.exitCode == 0)
                #expect(jobs.text == "50 × 200\n")
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh") == 1)
                #expect(stage.backend.statistics.count("GET", "/api/jobs", status: 200) == 50)
            }
        }

        @Test func `processes that refresh at the same time all succeed`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                stage.clock.advance(by: Self.tokenExpiry)
                let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for _ in 1...4 {
                        group.addTask { try await stage.tool("api", "GET", "/api/jobs").exitCode }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(codes == [0, 0, 0, 0])
                // After the grace window: the keyring must hold the newest refresh token.
                stage.clock.advance(by: .seconds(60))
                #expect(try await stage.tool("refresh").exitCode == 0)
            }
        }

        @Test func `the next process finds the refreshed session`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                for _ in 1...3 {
                    // After the grace window, so that an earlier token would be a reuse.
                    stage.clock.advance(by: .seconds(60))
                    #expect(try await stage.tool("refresh").exitCode == 0)
                }
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 200) == 3)
                #expect(try await stage.tool("api", "GET", "/api/jobs").exitCode == 0)
            }
        }

        @Test func `a token is printed only if it lasts for the minimum lifetime`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let first = try await stage.tool("token").text
                #expect(try await stage.tool("token", "--min-ttl", "60").text == first)
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh") == 0)
                let impossible = try await stage.tool("token", "--min-ttl", "100000")
                #expect(impossible.exitCode == 1)
                #expect(impossible.text.isEmpty)
            }
        }

        @Test(arguments: [
            ["refresh"], ["api", "GET", "/api/jobs"], ["api", "GET", "/api/jobs", "--concurrent", "50"],
        ])
        func `a session that the server ended is removed from the keyring`(arguments: [String]) async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                stage.clock.advance(by: Self.sessionExpiry)
                let output = try await stage.tool.run(arguments)
                #expect(output.exitCode == 4)
                #expect(output.text.isEmpty)
                let advice =
                    "Sign in again with: sallyport login NAME --client-id ID "
                    + "(at an app's own backend: sallyport login URL --email ADDRESS)"
                #expect(output.notes == ["The server ended the session (refresh_token_expired).", advice])
                #expect(try await stage.stored().isEmpty)
                #expect(try await stage.tool("status").exitCode == 3)
            }
        }

        @Test(arguments: [["status"], ["refresh"], ["api", "GET", "/api/me"]])
        func `a session token that expired too long ago ends the session`(arguments: [String]) async throws {
            try await Stage.run { stage in
                let login = try await stage.appleLogin()
                try #require(login.exitCode == 0, "\(login.errorText)")
                stage.clock.advance(by: Self.sessionExpiry * 3)
                let output = try await stage.tool.run(arguments)
                #expect(output.exitCode == 4)
                #expect(output.text.isEmpty)
                #expect(output.notes.first == "The server ended the session (token_expired).")
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `a refresh token that another client used ends the session`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let stolen = try #require(stage.issued.all.last { $0.kind == .refreshToken })
                #expect(try await stage.tool("refresh").exitCode == 0)
                stage.clock.advance(by: .seconds(60))
                let answer = try await Curl.post(
                    stage.url + "/api/v1/auth/refresh",
                    json: try JSONEncoder().encode(["refreshToken": stolen.rawValue])
                )
                #expect(answer.text.contains("refresh_token_reused"))
                #expect(try await stage.tool("api", "GET", "/api/jobs").exitCode == 4)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `the session stays if the server can't be reached`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                await stage.backend.stop()
                for arguments in [["api", "GET", "/api/jobs"], ["refresh"]] {
                    let output = try await stage.tool.run(arguments)
                    #expect(output.exitCode == 6, "\(arguments)")
                    #expect(output.text.isEmpty)
                    #expect(output.notes.count == 2)
                }
                let status = try await stage.tool("status")
                #expect(status.exitCode == 0)
                #expect(status.text.contains("offline"))
                #expect(try await stage.tool("status", "--json").object["online"] as? Bool == false)
                #expect(try await stage.tool("token").exitCode == 0)
                #expect(try await stage.stored().contains("key = session\n"))
            }
        }

        @Test func `a sign-out ends the local session and reports that the server can't be reached`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                await stage.backend.stop()
                let logout = try await stage.tool("logout")
                #expect(logout.exitCode == 0)
                #expect(logout.notes.first?.contains("could not be notified") == true)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `a sign-in ends with exit code 6 if the server can't be reached`() async throws {
            try await Stage.run { stage in
                await stage.backend.stop()
                let login = try await stage.login()
                #expect(login.exitCode == 6)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `a response is printed unchanged to a pipe and escaped on a terminal`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let title = "a\u{9B}31mb\u{202E}c\u{7F}d"
                let job = String(decoding: try JSONEncoder().encode(["title": title, "address": "x"]), as: UTF8.self)
                let made = try await stage.tool("api", "POST", "/api/jobs", "--data", job)
                #expect(made.exitCode == 0, "\(made.errorText)")
                #expect(made.text.contains(title))
                let onTerminal = try await stage.tool.onTerminal("api", "GET", "/api/jobs", "--include")
                #expect(onTerminal.exitCode == 0, "\(onTerminal.text)")
                #expect(onTerminal.text.hasPrefix("200"))
                #expect(onTerminal.text.contains(#"a\u009b31mb\u202ec\u007fd"#), "\(onTerminal.text.debugDescription)")
                let drives = onTerminal.text.unicodeScalars.contains { scalar in
                    ["\u{9B}", "\u{202E}", "\u{7F}", "\u{1B}"].contains(scalar)
                }
                #expect(!drives)
            }
        }

        @Test func `the token is not sent to another origin`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let port = stage.backend.port
                for origin in ["http://localhost:\(port)", "https://127.0.0.1:\(port)", "http://[::1]:\(port)"] {
                    let output = try await stage.tool("api", "GET", origin + "/api/jobs")
                    #expect(output.exitCode == 2, "\(origin)")
                    #expect(output.text.isEmpty)
                    #expect(output.notes.count == 2)
                }
                #expect(stage.backend.statistics.count("GET", "/api/jobs") == 0)
                #expect(try await stage.tool("api", "GET", stage.url + "/api/jobs").exitCode == 0)
            }
        }

        @Test func `a request body arrives, and an error response ends with exit code 1`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let job = #"{"title": "Piano", "address": "Quay 1"}"#
                let made = try await stage.tool("api", "POST", "/api/jobs", "--data", job)
                #expect(made.exitCode == 0)
                #expect(made.object["title"] as? String == "Piano")
                let read = try await stage.tool.run(["api", "post", "/api/jobs", "--data-file", "-"], input: job)
                #expect(read.exitCode == 0)
                let refused = try await stage.tool("api", "POST", "/api/jobs", "--data", "{}", "--include")
                #expect(refused.exitCode == 1)
                #expect(refused.text.hasPrefix("400\n"))
                #expect(refused.notes.count == 2)
            }
        }
    }
}
