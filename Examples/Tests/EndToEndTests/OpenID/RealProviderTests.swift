// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// Canaille and django-oauth-toolkit, as published on the package index.
@Suite(
    "Real providers",
    .enabled(
        if: RealProvider.isAvailable,
        "needs Python's venv and gnome-keyring-daemon; Tests/run --all installs them"
    )
)
struct RealProviderTests {
    @Test(arguments: ["public", "basic", "post"])
    func `a session at Canaille works from the sign-in to the sign-out`(client: String) async throws {
        try await RealStage.run(.canaille) { stage in
            // It accepts a revocation only from a client with a secret, and only with basic authentication.
            try await Self.useSession(on: stage, as: client, revokes: client != "public")
        }
    }

    @Test(arguments: ["public", "basic", "post"], [false, true])
    func `a session at django-oauth-toolkit works from the sign-in to the sign-out`(
        client: String,
        namesRevocation: Bool
    ) async throws {
        try await RealStage.run(.django, namesRevocation ? ["--full-discovery"] : []) { stage in
            // If one document does not name the endpoint, the other one, of RFC 8414, does.
            try await Self.useSession(on: stage, as: client, revokes: true)
        }
    }

    @Test(arguments: RealProvider.Kind.allCases)
    func `a dynamically registered client signs in`(kind: RealProvider.Kind) async throws {
        try await RealStage.run(kind, kind == .django ? ["--full-discovery"] : []) { stage in
            // Canaille does not register offline_access.
            let login = try await stage.tool(
                "login",
                "--issuer",
                stage.provider.issuer,
                "--client-id",
                "",
                "--scope",
                "openid profile email",
                "--login-timeout",
                "40",
                "--json"
            )
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(login.object["sub"] as? String != nil)
            #expect(try await stage.tool("userinfo").exitCode == 0)
            #expect(try await stage.tool("logout").exitCode == 0)
        }
    }

    /// Such a port could be taken between the registration and the sign-in.
    @Test func `the port of a registered client is none that the system gives to connections`() async throws {
        try await RealStage.run(.django, ["--full-discovery"]) { stage in
            let login = try stage.tool.start(
                "login",
                "--issuer",
                stage.provider.issuer,
                "--client-id",
                "",
                "--scope",
                "openid profile email",
                "--no-browser"
            )
            let notes = try await login.read(until: "%2Fcallback")
            let port = try #require(notes.firstMatch(of: /127\.0\.0\.1%3A(\d+)%2F[\w\-]{22}%2Fcallback/)).1
            #expect((20_000..<32_768).contains(Int(port) ?? 0), "\(port)")
            login.send(SIGINT)
            #expect(await login.waitUntilExit(timeout: .seconds(30)) == 130, "\(login.rest())")
        }
    }

    @Test func `a sign-in is cancelled if the user denies it`() async throws {
        try await RealStage.run(.canaille) { stage in
            var stage = stage
            stage.setBrowser(["PERSON_ANSWER": "deny"])
            let login = try await stage.login(as: "public")
            #expect(login.exitCode == 130, "\(login.errorText)")
            #expect(try await stage.tool("status").exitCode == 3)
        }
    }

    @Test func `a sign-in with a device code completes once the user has typed the code`() async throws {
        try await RealStage.run(.django, ["--full-discovery"]) { stage in
            let login = try stage.tool.start(
                "login",
                "--issuer",
                stage.provider.issuer,
                "--client-id",
                try #require(stage.provider.clients["device"]).id,
                "--device"
            )
            let notes = try await login.read(until: "Waiting for the sign-in.")
            let words = notes.split(whereSeparator: \.isWhitespace).map(String.init)
            let address = try #require(words.first { $0.hasPrefix(stage.provider.issuer + "/") })
            let code = try #require(words.last { $0.allSatisfy { $0.isNumber || $0.isUppercase || $0 == "-" } })
            let page = address.contains("user_code=") ? address : "\(address)?user_code=\(code)"
            let user = try await Command(
                MisbehavingProvider.support("providers/person"),
                [page],
                environment: stage.tool.environment
            ).run()
            #expect(user.exitCode == 0, "\(user.errorText)")
            #expect(await login.waitUntilExit(timeout: .seconds(30)) == 0, "\(login.rest())")
            #expect(try await stage.tool("token").exitCode == 0)
            #expect(try await stage.tool("refresh").exitCode == 0)
            #expect(try await stage.tool("logout").exitCode == 0)
        }
    }

    @Test(
        .enabled(if: Executable.find("chromium") != nil, "needs chromium; Tests/run --all installs it"),
        arguments: RealProvider.Kind.allCases
    )
    func `a real browser ends on a page that confirms the sign-in`(kind: RealProvider.Kind) async throws {
        try await RealStage.run(kind) { stage in
            let login = try stage.tool.start(
                "login",
                "--issuer",
                stage.provider.issuer,
                "--client-id",
                try #require(stage.provider.clients["public"]).id,
                "--redirect-port",
                "\(stage.provider.redirectPort ?? 0)",
                "--no-browser"
            )
            let notes = try await login.read(until: "code_challenge_method=S256")
            let address = try #require(notes.split(separator: "\n").last { $0.hasPrefix(stage.provider.issuer) })
            let screenshot = stage.folder.url.appending(path: "page.png").path
            let chromium = try await Command(
                MisbehavingProvider.support("providers/chromium-person"),
                [String(address)],
                environment: ProcessInfo.processInfo.environment.merging(stage.userEnvironment) { _, new in new }
                    .merging(["PERSON_SCREENSHOT": screenshot, "PERSON_TIMEOUT": "60"]) { _, new in new }
            ).run()
            #expect(chromium.exitCode == 0, "\(chromium.errorText)")
            #expect(chromium.text.contains("Signed in"), "\(chromium.text)")
            #expect(await login.waitUntilExit(timeout: .seconds(30)) == 0, "\(login.rest())")
            #expect(try await stage.tool("status").exitCode == 0)
            try await Self.checkPage(in: stage.folder)
        }
    }

    /// Checks the page as the browser rendered it: its colours, which its policy must allow, in light and dark mode.
    private static func checkPage(in folder: TemporaryFolder) async throws {
        let colours = [
            "page.png": (back: "#f4f5f7", card: "#ffffff", mark: "#1a7f4b"),
            "page-dark.png": (back: "#121417", card: "#1c1f24", mark: "#2f9e66"),
        ]
        for (name, expected) in colours {
            let file = folder.url.appending(path: name)
            let picture = try await Command(MisbehavingProvider.support("providers/picture"), [file.path]).run()
            let pixels = try #require(picture.object as? [String: Int], "\(picture.errorText)")
            let (back, card) = (pixels[expected.back] ?? 0, pixels[expected.card] ?? 0)
            // A card on a larger background, with a round mark on it, and little else.
            #expect(back > card && card > 20_000, "\(name): \(pixels)")
            #expect(pixels[expected.mark] ?? 0 > 500, "\(name): \(pixels)")
            #expect(Double(back + card) > 0.9 * Double(pixels.values.reduce(0, +)), "\(name)")
        }
    }

    // MARK: Use of a session

    /// Runs everything that a user does with a session, once.
    private static func useSession(on stage: RealStage, as client: String, revokes: Bool) async throws {
        let login = try await stage.login(as: client, "--json")
        try #require(login.exitCode == 0, "\(login.errorText)")
        let subject = try #require(login.object["sub"] as? String)
        let status = try await stage.tool("status")
        #expect(status.exitCode == 0, "\(status.errorText)")
        #expect(status.text.contains("Signed in as"))

        let first = try await token(on: stage)
        try await stage.waitForNextSecond()
        let refresh = try await stage.tool("refresh")
        #expect(refresh.exitCode == 0, "\(refresh.errorText)")
        let second = try await token(on: stage)
        #expect(first != second)
        #expect(try await stage.provider.userInfoStatus(for: first) == 401)

        let claims = try await stage.tool("userinfo")
        #expect(claims.exitCode == 0, "\(claims.errorText)")
        #expect(claims.object["sub"] as? String == subject)

        let revoke = try await stage.tool("revoke")
        #expect(revoke.exitCode == (revokes ? 0 : 1), "\(revoke.errorText)")
        #expect(revoke.notes.count == (revokes ? 1 : 2), "\(revoke.errorText)")
        #expect(try await stage.provider.userInfoStatus(for: second) == (revokes ? 401 : 200))
        #expect(try await stage.tool("status").exitCode == 3)
        try await signInAndOut(on: stage, as: client)
    }

    private static func signInAndOut(on stage: RealStage, as client: String) async throws {
        // Canaille fails if it issues two tokens in one second.
        try await stage.waitForNextSecond()
        let login = try await stage.login(as: client)
        try #require(login.exitCode == 0, "\(login.errorText)")
        let logout = try await stage.tool("logout")
        #expect(logout.exitCode == 0, "\(logout.errorText)")
        #expect(logout.text.isEmpty)
        try await stage.provider.waitForSignOut()
        #expect(try await stage.tool("status").exitCode == 3)
    }

    private static func token(on stage: RealStage) async throws -> String {
        let token = try await stage.tool("token")
        try #require(token.exitCode == 0, "\(token.errorText)")
        return String(token.text.dropLast())
    }
}
