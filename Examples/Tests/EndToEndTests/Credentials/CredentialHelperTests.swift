// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The servers that Docker's and Bazel's credential helpers answer for.
///
/// No user is signed in, so that an answer is exit code 3. Any other server gets no credential.
@Suite("The servers that get a credential from the tool")
struct CredentialHelperMatchTests {
    private func run(_ arguments: [String], input: String) async throws -> Command.Output {
        try await Tool.runAlone(arguments + ["--store", "memory"], input: input)
    }

    // MARK: Docker

    private func docker(_ url: String, _ request: String) async throws -> Command.Output {
        try await run(["docker-credential", "--for", url, "get"], input: request)
    }

    @Test(
        arguments: [
            ("https://cr.example", "cr.example"), ("https://cr.example", "cr.example\n"),
            ("https://cr.example", "CR.example:443"), ("https://CR.example/", "https://cr.example"),
            ("https://cr.example", "https://cr.example/v1/"), ("https://cr.example/v1", "https://cr.example/v1/"),
            ("https://cr.example:8443", "cr.example:8443"), ("https://[2001:db8::1]", "[2001:DB8::1]"),
            ("http://127.0.0.1:5000", "127.0.0.1:5000"), ("http://127.0.0.1:5000", "http://127.0.0.1:5000"),
            ("https://127.0.0.1:5000", "127.0.0.1:5000"),
        ]
    )
    func `Docker gets an answer for the registry of the URL`(url: String, request: String) async throws {
        let output = try await docker(url, request)
        #expect(output.exitCode == 3, "\(output.errorText)")
        #expect(output.text.isEmpty)
    }

    @Test(
        arguments: [
            ("https://cr.example", ""), ("https://cr.example", "cr.example.org"),
            ("https://cr.example", "x.cr.example"),
            ("https://cr.example", "cr.example."), ("https://cr.example", "cr.example:8443"),
            ("https://cr.example", "cr.example:x"), ("https://cr.example", "http://cr.example"),
            ("https://cr.example", "ftp://cr.example"), ("https://cr.example", "user@cr.example"),
            ("https://cr.example", "cr.example@evil.example"), ("https://cr.example", "evil.example\ncr.example"),
            ("https://cr.example", "cr.example?x"), ("https://cr.example", "cr%2Eexample"),
            ("https://cr.example", " cr.example"), ("https://cr.example", "cr.example\u{0}"),
            ("https://cr.example", "cr.example\\x"), ("https://cr.example", "cr.example/../x"),
            ("https://cr.example", "cr.example/" + String(repeating: "x", count: 10_000)),
            ("https://cr.example/v1", "cr.example"), ("https://cr.example/v1", "https://cr.example/v1x"),
            ("https://cr.example/v1", "https://cr.example/%76%31/"),
            ("http://127.0.0.1:5000", "https://127.0.0.1:5000"), ("http://127.0.0.1:5000", "localhost:5000"),
            ("http://127.0.0.1:5000", "127.0.0.1:5001"), ("http://127.0.0.1", "127.0.0.1.example"),
        ]
    )
    func `Docker is told that there is no credential for another registry`(url: String, request: String) async throws {
        let output = try await docker(url, request)
        #expect(output.exitCode == 1)
        #expect(output.text == "credentials not found in native keychain\n")
        #expect(output.errorText.isEmpty)
    }

    @Test func `a registry on plain http beyond loopback gets nothing, even if it is named`() async throws {
        let output = try await docker("http://cr.example", "cr.example")
        #expect(output.exitCode == 1)
        #expect(output.text == "credentials not found in native keychain\n")
        #expect(output.notes.count == 1, "\(output.errorText)")
    }

    @Test(arguments: [("store", ""), ("erase", ""), ("list", "{}\n"), ("later", "")])
    func `another operation of Docker keeps and erases nothing`(operation: String, text: String) async throws {
        let input = #"{"ServerURL": "cr.example", "Username": "ada", "Secret": "theirs"}"#
        let output = try await run(["docker-credential", "--for", "https://cr.example", operation], input: input)
        #expect(output.exitCode == 0, "\(output.errorText)")
        #expect(output.text == text)
        #expect(output.errorText.isEmpty)
    }

    // MARK: Bazel

    private func bazel(_ url: String, _ request: String) async throws -> Command.Output {
        try await run(["bazel-credential", "--for", url, "get"], input: request)
    }

    private func request(_ uri: String) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: ["uri": uri, "later": "x"]), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("https://cache.example", "https://cache.example/a/b?c=d#e"),
            ("https://cache.example", "https://cache.example"),
            ("https://cache.example", "https://CACHE.example:443/"),
            ("https://cache.example/", "grpcs://cache.example/S/M"),
            ("https://cache.example/team", "https://cache.example/team"),
            ("https://cache.example/team", "https://cache.example/team/a?x=../.."),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/a"),
        ]
    )
    func `Bazel gets an answer for the server of the URL`(url: String, uri: String) async throws {
        let output = try await bazel(url, try request(uri))
        #expect(output.exitCode == 3, "\(output.errorText)")
        #expect(output.text.isEmpty)
    }

    private func expectNoField(
        _ output: Command.Output,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(output.exitCode == 0, "\(output.errorText)", sourceLocation: sourceLocation)
        #expect(output.object as? [String: [String: [String]]] == ["headers": [:]], sourceLocation: sourceLocation)
        #expect(output.errorText.isEmpty, sourceLocation: sourceLocation)
    }

    @Test(
        arguments: [
            ("https://cache.example", "https://cache.example.org/"),
            ("https://cache.example", "https://x.cache.example/"),
            ("https://cache.example", "https://cache.example:8443/"),
            ("https://cache.example", "http://cache.example/"),
            ("https://cache.example", "grpc://cache.example/"), ("https://cache.example", "https://ada@cache.example/"),
            ("https://cache.example", "https://cache.example@evil.example/"),
            ("https://cache.example", "cache.example"), ("https://cache.example", "https://cache%2Eexample/"),
            ("https://cache.example", "https://cache.example\\@evil.example/"), ("https://cache.example", ""),
            ("https://cache.example", "https://evil.example/https://cache.example/"),
            ("https://cache.example/team", "https://cache.example/"),
            ("https://cache.example/team", "https://cache.example"),
            ("https://cache.example/team", "https://cache.example/teams"),
            ("https://cache.example/team", "https://cache.example/team/../x"),
            ("https://cache.example/team", "https://cache.example/team/%2e%2e/x"),
            ("https://cache.example/team", "https://cache.example/team%2Fx"),
            ("https://cache.example/team", "https://cache.example/team//x"),
            ("https://cache.example/team", "https://cache.example/?/team"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8081/"), ("http://127.0.0.1:8080", "https://127.0.0.1:8080/"),
        ]
    )
    func `Bazel gets no field for another server or path`(url: String, uri: String) async throws {
        expectNoField(try await bazel(url, try request(uri)))
    }

    @Test(arguments: [
        "", "[]", "{}", "null", #"{"uri": 1}"#, #"{"url": "https://cache.example"}"#, "https://cache.example", "\u{0}",
        String(repeating: "[", count: 100_000),
    ])
    func `a request that Bazel does not send gets no field`(request: String) async throws {
        expectNoField(try await bazel("https://cache.example", request))
    }

    @Test(arguments: [
        ["docker-credential", "get"], ["docker-credential", "--for", "https://cr.example"],
        ["docker-credential", "--for", "cr.example", "get"], ["bazel-credential", "get"],
        ["bazel-credential", "--for", "https://cache.example"],
        ["bazel-credential", "--for", "https://cache.example", "store"],
        ["bazel-credential", "--for", "https://ada:secret@cache.example", "get"],
    ])
    func `wrong arguments end with exit code 2, and show no password`(arguments: [String]) async throws {
        let output = try await run(arguments, input: "cr.example")
        #expect(output.exitCode == 2, "\(output.errorText)")
        #expect(output.text.isEmpty)
        #expect(!output.errorText.contains("secret"))
    }
}

/// The credentials that the tool gives to Docker and Bazel.
@Suite(
    "The credentials that the tool gives to Docker and Bazel",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct CredentialHelperTests {
    private static let docker = ["docker-credential", "--for", "https://cr.example", "get"]
    private static let bazel = ["bazel-credential", "--for", "https://cache.example", "get"]
    private static let request = #"{"uri": "https://cache.example/artifact"}"#

    private func signedIn(_ options: [String] = [], _ test: (OpenIDStage) async throws -> Void) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: "public", options)
            try #require(login.exitCode == 0, "\(login.errorText)")
            try await test(stage)
        }
    }

    @Test func `Docker gets a user name, and the token as the secret`() async throws {
        try await signedIn { stage in
            let token = String(try await stage.tool("token").text.dropLast())
            for (options, username) in [([], "oauth2"), (["--username", "<token>"], "<token>")] {
                let output = try await stage.tool.run(Self.docker + options, input: "cr.example")
                #expect(output.exitCode == 0, "\(output.errorText)")
                #expect(output.errorText.isEmpty)
                let expected = ["ServerURL": "cr.example", "Username": username, "Secret": token]
                #expect(output.object as? [String: String] == expected)
            }
        }
    }

    @Test func `Bazel gets the header field and the end of the token`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token").text.dropLast()
            let output = try await stage.tool.run(Self.bazel, input: Self.request)
            #expect(output.exitCode == 0, "\(output.errorText)")
            #expect(output.errorText.isEmpty)
            #expect(Set(output.object.keys) == ["headers", "expires"])
            #expect(output.object["headers"] as? [String: [String]] == ["Authorization": ["Bearer \(token)"]])
            let end = try #require(output.object["expires"] as? String)
            let left = try Date(end, strategy: .iso8601).timeIntervalSinceNow
            #expect((3_400...3_600).contains(left), "\(left)")
        }
    }

    @Test(arguments: [(docker, "cr.example"), (bazel, request)])
    func `a token that is bound to a key is not given`(arguments: [String], input: String) async throws {
        try await signedIn(["--dpop"]) { stage in
            let output = try await stage.tool.run(arguments, input: input)
            #expect(output.exitCode == 1)
            stage.expectTwoSentences(output)
        }
    }

    @Test(arguments: [(docker, "cr.example"), (bazel, request)])
    func `an encrypted file without its passphrase is exit code 5, and nothing asks`(
        arguments: [String],
        input: String
    ) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let output = try await stage.tool.run(arguments + ["--store", "file"], input: input)
            #expect(output.exitCode == 5, "\(output.errorText)")
            stage.expectTwoSentences(output)
        }
    }

    @Test(.enabled(if: Executable.find("docker") != nil, "needs a Docker client; it needs no daemon"))
    func `the real Docker client reads an image's manifest with the tool as its credential helper`() async throws {
        try await signedIn { stage in
            let token = String(try await stage.tool("token").text.dropLast())
            for (accepted, isAllowed) in [(token, true), ("another", false)] {
                try await KubernetesAPI.run(accepting: accepted) { api in
                    let output = try await api.manifest(environment: stage.tool.environment)
                    #expect((output.exitCode == 0) == isAllowed, "\(output.errorText)")
                    #expect(output.text.contains("schemaVersion") == isAllowed)
                    #expect(!output.errorText.contains(token))
                }
            }
        }
    }
}
