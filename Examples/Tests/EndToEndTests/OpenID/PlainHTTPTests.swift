// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@Suite(
    "A provider's token and plain http",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct PlainHTTPTests {
    private static let attributes = [
        "application", "sallyport", "service", "sallyport", "account", "default", "key", "session",
    ]

    /// Returns a record whose issuer and provider are on https.
    private static func overHTTPS(_ record: String) throws -> String {
        let details = try #require(record.firstMatch(of: #/"details":"([^"]+)"/#)).1
        let provider = try #require(Data(base64Encoded: String(details)))
        let changed = Data(String(decoding: provider, as: UTF8.self).replacing("http://", with: "https://").utf8)
        return record.replacing(details, with: changed.base64EncodedString()).replacing("http://", with: "https://")
    }

    /// Changes the stored session into one of an issuer on https.
    private static func moveToHTTPS(_ stage: OpenIDStage) async throws {
        let keyring = try #require(stage.keyring)
        let record = try await keyring.secretTool(["lookup"] + attributes).text
        let changed = try overHTTPS(record)
        try #require(changed != record)
        let stored = try await keyring.secretTool(["store", "--label=x"] + attributes, input: changed)
        try #require(stored.exitCode == 0, "\(stored.errorText)")
    }

    private static func signedIn(_ test: (OpenIDStage) async throws -> Void) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login()
            try #require(login.exitCode == 0, "\(login.errorText)")
            try await test(stage)
        }
    }

    @Test func `the token of an https issuer is not sent over plain http, even on this machine`() async throws {
        try await Self.signedIn { stage in
            let address = stage.provider.issuer + "/userinfo"
            // An issuer on this machine uses plain http itself, and so may its APIs.
            let own = try await stage.tool("api", "GET", address)
            #expect(own.exitCode == 0, "\(own.errorText)")

            try await Self.moveToHTTPS(stage)
            let before = try await stage.provider.log().count
            let refused = try await stage.tool("api", "GET", address)
            #expect(refused.exitCode == 2, "\(refused.errorText)")
            #expect(refused.text.isEmpty)
            #expect(
                refused.notes == [
                    "The token of this session is not sent over plain http, because its issuer uses https.",
                    "Use https.",
                ]
            )
            #expect(try await stage.provider.log().count == before)
        }
    }

    @Test func `git gets no token of an https issuer for plain http, even on this machine`() async throws {
        try await Self.signedIn { stage in
            func get(_ scheme: String, _ host: String) async throws -> Command.Output {
                let arguments = ["git-credential", "--for", "\(scheme)://\(host)", "get"]
                return try await stage.tool.run(arguments, input: "protocol=\(scheme)\nhost=\(host)\n\n")
            }
            let own = try await get("http", "127.0.0.1:8080")
            #expect(own.text.contains("password="), "\(own.errorText)")

            try await Self.moveToHTTPS(stage)
            for host in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"] {
                let refused = try await get("http", host)
                #expect(refused.exitCode == 2)
                #expect(refused.text.isEmpty)
                let sentence = "The token of this session is not sent over plain http, because its issuer uses https."
                #expect(refused.notes == ["sallyport: \(sentence)"])
            }
            #expect(try await get("https", "127.0.0.1:8080").text.contains("password="))
        }
    }

    @Test(arguments: [
        (["docker-credential", "--for", "http://127.0.0.1:8080", "get"], "127.0.0.1:8080"),
        (["bazel-credential", "--for", "http://127.0.0.1:8080", "get"], #"{"uri": "http://127.0.0.1:8080/x"}"#),
        (["token", "--headers-json", "--proof-for", "GET http://127.0.0.1:8080/x"], ""),
    ])
    func `no other program gets a token of an https issuer for plain http`(
        arguments: [String],
        input: String
    ) async throws {
        try await Self.signedIn { stage in
            let own = try await stage.tool.run(arguments, input: input)
            #expect(own.exitCode == 0, "\(own.errorText)")

            try await Self.moveToHTTPS(stage)
            let refused = try await stage.tool.run(arguments, input: input)
            #expect(refused.exitCode == 2)
            #expect(refused.text.isEmpty)
            let sentence = "The token of this session is not sent over plain http, because its issuer uses https."
            #expect(refused.notes.first == sentence)
        }
    }
}
