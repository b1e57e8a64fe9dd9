// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The credentials that the tool gives to git, and what becomes of those that git reports as refused.
@Suite(
    "The credentials that the tool gives to git",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct GitCredentialTests {
    private static let request = "protocol=https\nhost=git.example\n"
    private static let bearer = ["capability[]=authtype", "authtype=Bearer"]

    private func signedIn(_ options: [String] = [], _ test: (OpenIDStage) async throws -> Void) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: "public", options)
            try #require(login.exitCode == 0, "\(login.errorText)")
            try await test(stage)
        }
    }

    private func run(
        _ stage: OpenIDStage,
        _ operation: String = "get",
        _ attributes: String = "",
        options: [String] = []
    ) async throws -> Command.Output {
        let arguments = ["git-credential", "--for", "https://git.example"] + options + [operation]
        return try await stage.tool.run(arguments, input: Self.request + attributes + "\n")
    }

    private func expectOneSentence(
        _ output: Command.Output,
        exitCode: Int32,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(output.exitCode == exitCode, "\(output.errorText)", sourceLocation: sourceLocation)
        #expect(output.text.isEmpty, sourceLocation: sourceLocation)
        #expect(output.notes.count == 1, "\(output.errorText)", sourceLocation: sourceLocation)
        #expect(output.notes.first?.hasSuffix(".") == true, sourceLocation: sourceLocation)
    }

    // MARK: get

    @Test func `a git without capabilities gets a user name, the token as a password, and its expiry`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token").text.dropLast()
            let output = try await run(stage)
            #expect(output.exitCode == 0)
            #expect(output.errorText.isEmpty)
            let lines = output.text.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines.prefix(2) == ["username=oauth2", "password=\(token)"])
            let expiry = try #require(lines.last?.split(separator: "=").last.flatMap { Double($0) })
            #expect(lines.last?.hasPrefix("password_expiry_utc=") == true)
            let left = expiry - Date().timeIntervalSince1970
            #expect((3_400...3_600).contains(left), "\(left)")
            let named = try await run(stage, options: ["--username", "x-token-auth"])
            #expect(named.text.hasPrefix("username=x-token-auth\npassword=\(token)\n"))
        }
    }

    @Test func `a git with the authtype capability gets a bearer token that it does not keep`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token").text
            let output = try await run(stage, "get", "capability[]=authtype\ncapability[]=state\n")
            #expect(output.exitCode == 0)
            #expect(output.text == (Self.bearer + ["credential=\(token)ephemeral=1\n"]).joined(separator: "\n"))
        }
    }

    @Test func `the scheme is one that the server offers`() async throws {
        try await signedIn { stage in
            let offers: [(attributes: [String], isBearer: Bool)] = [
                (["Basic realm=\"git\""], false), (["Bearer realm=\"git\""], true), (["bearer"], true),
                (["Basic realm=\"Bearer\""], false), (["Basic realm=\"git\", Bearer"], true), (["NTLM"], false),
                (["Negotiate", "Bearer realm=\"git\""], true), (["Basic", ""], true), (["Bearer", "", "Basic"], false),
                (["Bearers"], false), (["Basic realm=\"a\", x=\"Bearer \""], false),
            ]
            for offer in offers {
                let attributes = offer.attributes.map { "wwwauth[]=\($0)\n" }.joined()
                let output = try await run(stage, "get", "capability[]=authtype\n" + attributes)
                #expect(output.text.hasPrefix("capability[]=") == offer.isBearer, "\(offer.attributes)")
                #expect(output.text.hasPrefix("username=oauth2\n") == !offer.isBearer, "\(offer.attributes)")
                let older = try await run(stage, "get", attributes)
                #expect(older.text.hasPrefix("username=oauth2\n"), "\(offer.attributes)")
            }
        }
    }

    // MARK: erase

    @Test(arguments: ["username=oauth2\npassword=", "capability[]=authtype\nauthtype=Bearer\nephemeral=1\ncredential="])
    func `an erased token is refreshed by the next get, and the erasure sends no request`(attributes: String)
        async throws
    {
        try await signedIn { stage in
            let token = try await stage.tool("token").text
            let requests = try await stage.provider.log().count
            let erased = try await run(stage, "erase", attributes + token)
            #expect(erased.exitCode == 0)
            #expect(erased.text.isEmpty && erased.errorText.isEmpty)
            #expect(try await stage.provider.log().count == requests)
            #expect(try await stage.tool("status").exitCode == 0)
            let next = try await run(stage)
            #expect(next.exitCode == 0, "\(next.errorText)")
            #expect(!next.text.contains(token.dropLast()))
            #expect(try await run(stage).text == next.text)
            #expect(try await stage.refreshes() == 1)
        }
    }

    @Test func `an erasure of another password, or for another server, erases nothing`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token").text.dropLast()
            for password in [
                "", "password=\n", "password=other\n", "password=\(token)x\n", "password=\(token.dropLast())\n",
                "password=two words\n", "username=\(token)\n", "credential=other\npassword=\(token)\n",
            ] {
                let output = try await run(stage, "erase", password)
                #expect(output.exitCode == 0, "\(output.errorText)")
                #expect(output.errorText.isEmpty)
            }
            let elsewhere = try await stage.tool(
                "git-credential",
                "--for",
                "https://other.example",
                "erase",
                input: Self.request + "password=\(token)\n\n"
            )
            #expect(elsewhere.exitCode == 0)
            #expect(try await stage.tool("token").text.dropLast() == token)
            #expect(try await stage.refreshes() == 0)
        }
    }

    @Test func `an erasure of a replaced token leaves the new one`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token").text
            #expect(try await stage.tool("refresh").exitCode == 0)
            let new = try await stage.tool("token").text
            #expect(try await run(stage, "erase", "password=\(token)").exitCode == 0)
            #expect(try await stage.tool("token").text == new)
            #expect(try await stage.refreshes() == 1)
        }
    }

    @Test func `store keeps nothing`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token").text
            let output = try await run(stage, "store", "username=ada\npassword=theirs\n")
            #expect(output.exitCode == 0)
            #expect(output.text.isEmpty && output.errorText.isEmpty)
            #expect(stage.files(containing: Data("theirs".utf8)).isEmpty)
            #expect(try await stage.tool("token").text == token)
        }
    }

    // MARK: No token

    @Test func `a session that the provider has ended is exit code 4 and one sentence`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token").text
            let refreshToken = try await stage.provider.secrets().last { $0.kind == "refresh_token" }
            try await stage.revoke(try #require(refreshToken).value)
            #expect(try await run(stage, "erase", "password=\(token)").exitCode == 0)
            let output = try await run(stage)
            expectOneSentence(output, exitCode: 4)
            #expect(output.errorText.contains("Sign in again with: sallyport login "), "\(output.errorText)")
        }
    }

    @Test func `a locked keyring is exit code 5 and one sentence, for get and erase, and nothing asks`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token").text
            try await stage.keyring?.lock()
            expectOneSentence(try await run(stage), exitCode: 5)
            expectOneSentence(try await run(stage, "erase", "password=\(token)"), exitCode: 5)
        }
    }

    @Test func `an encrypted file without its passphrase is exit code 5 and one sentence`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            expectOneSentence(try await run(stage, options: ["--store", "file"]), exitCode: 5)
        }
    }

    @Test func `a token that is bound to a key is exit code 1 and one sentence`() async throws {
        try await signedIn(["--dpop"]) { stage in
            expectOneSentence(try await run(stage), exitCode: 1)
        }
    }
}
