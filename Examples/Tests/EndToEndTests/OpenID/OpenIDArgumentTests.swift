// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SharedTestSupport
import Testing

@Suite("The tool's arguments for a provider")
struct OpenIDArgumentTests {
    private static let login = ["login", "--store", "memory", "--issuer", "https://id.example.com"]

    /// Runs the tool in a home directory of its own, without a session bus.
    private func run(_ arguments: [String]) async throws -> Command.Output {
        try await Tool.runAlone(arguments)
    }

    @Test(arguments: [
        (["--client-id", "native", "--backend", "https://api.example.com"], "Give either --issuer URL or --backend"),
        (["--client-id", "native", "--email", "a@example.com"], "--email and --apple need --backend."),
        ([], "--issuer needs --client-id ID; an empty one registers a client."),
        (["--client-id", "native", "--client-auth", "basic"], "--client-auth basic needs --client-secret-file."),
        (["--client-id", "native", "--client-auth", "post"], "--client-auth post needs --client-secret-file."),
        (["--client-id", "native", "--client-auth", "jwt"], "--client-auth"),
        (
            ["--client-id", "native", "--client-auth", "none", "--client-secret-file", "x"],
            "--client-auth none can't be used with --client-secret-file."
        ),
        (
            ["--client-id", "a", "--private-key", "x", "--client-secret-file", "x"],
            "Give either --client-secret-file FILE or --private-key FILE."
        ),
        (
            ["--client-id", "a", "--private-key", "x", "--client-auth", "post"],
            "--client-auth can't be used with --private-key."
        ),
        (["--client-id", "", "--private-key", "x"], "--private-key needs the client ID that it belongs to."),
        (["--client-id", "a", "--key-id", "k"], "--key-id needs --private-key FILE."),
        (
            ["--client-id", "a", "--client-credentials"],
            "--client-credentials needs --client-secret-file FILE, --private-key FILE, --workload-token FILE, or"
        ),
        (
            ["--client-id", "a", "--workload-token", "x", "--private-key", "x"],
            "Give either --private-key FILE or --workload-token FILE."
        ),
        (
            ["--client-id", "a", "--workload-token", "x", "--client-auth", "basic"],
            "--client-auth can't be used with --workload-token."
        ),
        (["--client-id", "", "--workload-token", "x"], "--workload-token needs the client ID that it belongs to."),
        (["--client-id", "a", "--assertion-algorithm", "ps256"], "--assertion-algorithm needs --private-key FILE."),
        (["--client-id", "a", "--private-key", "x", "--assertion-algorithm", "hs256"], "--assertion-algorithm"),
        (["--client-id", "a", "--assertion-audience", "issuer"], "--assertion-audience needs --private-key FILE."),
        (["--client-id", "a", "--jwt-bearer"], "--jwt-bearer needs --private-key FILE or --workload-token FILE."),
        (
            ["--client-id", "a", "--jwt-bearer", "--client-credentials", "--private-key", "x"],
            "Give either --client-credentials or --jwt-bearer."
        ),
        (
            ["--client-id", "a", "--jwt-bearer", "--workload-token", "x", "--subject", "jane"],
            "--subject needs --jwt-bearer and --private-key FILE."
        ),
        (
            ["--client-id", "a", "--jwt-bearer", "--private-key", "x", "--prompt", "login"],
            "--prompt can't be used with --jwt-bearer."
        ),
        (["--client-id", "a", "--certificate", "x"], "Give both --certificate FILE and --certificate-key FILE."),
        (["--step-up"], "--issuer can't be used with --step-up, because the session knows it."),
        (
            ["--client-id", "a", "--client-credentials", "--private-key", "x", "--device"],
            "--device can't be used with --client-credentials."
        ),
        (
            ["--client-id", "a", "--client-credentials", "--private-key", "x", "--no-browser"],
            "--no-browser can't be used with --client-credentials."
        ),
        (["--client-id", "native", "--max-age", "-1"], "--max-age"),
        (["--client-id", "native", "--max-age", "31536001"], "--max-age takes 0 to 31536000 seconds."),
        (["--client-id", "native", "--max-age", "soon"], "--max-age"),
        (["--client-id", "native", "--scope", "profile"], "--scope must contain openid."),
        (
            ["--client-id", "native", "--scope", "openid,profile"],
            "Scopes are separated by spaces alone: --scope 'openid profile'"
        ),
        (
            ["--client-id", "native", "--scope", "openid profile\temail"],
            "Scopes are separated by spaces alone: --scope 'openid profile email'"
        ),
        (["--client-id", "a", "--scope", "openid \"x\""], "--scope has a character that no scope may have."),
        (["--client-id", "native", "--redirect-port", "65536"], "--redirect-port takes 0 to 65535."),
        (["--client-id", "native", "--login-timeout", "0"], "--login-timeout takes 1 to 86400 seconds."),
        (["--client-id", "native", "--json", "--print-token"], "Give either --json or --print-token."),
    ])
    func `wrong arguments end with exit code 2 and an explanation`(more: [String], sentence: String) async throws {
        let output = try await run(Self.login + more)
        #expect(output.exitCode == 2)
        #expect(output.text.isEmpty)
        #expect(output.errorText.contains(sentence), "\(output.errorText)")
    }

    @Test(arguments: [
        (
            ["--backend", "https://api.example.com", "--client-credentials"],
            "--client-credentials needs a provider: give --issuer URL in place of --backend URL."
        ),
        (
            ["--backend", "https://api.example.com", "--jwt-bearer", "--private-key", "x"],
            "--jwt-bearer needs a provider: give --issuer URL in place of --backend URL."
        ),
        (["--step-up", "--client-id", "native"], "--client-id can't be used with --step-up"),
        (["--step-up", "--private-key", "x"], "--private-key can't be used with --step-up"),
        (["--step-up", "--backend", "https://api.example.com"], "--backend can't be used with --step-up"),
        (["--step-up", "--paste", "--device"], "--paste can't be used with --device."),
    ])
    func `options of another kind of sign-in are wrong arguments, in a sentence that names the right one`(
        arguments: [String],
        sentence: String
    ) async throws {
        let output = try await run(["login", "--store", "memory"] + arguments)
        #expect(output.exitCode == 2)
        #expect(output.text.isEmpty)
        #expect(output.errorText.contains(sentence), "\(output.errorText)")
    }

    @Test(arguments: [
        (["--id", "--resource", "https://a.example"], "--resource can't be used with --id."),
        (["--min-ttl", "60", "--audience", "a"], "--audience can't be used with --min-ttl."),
        (["--resource", "a.example"], "--resource takes an absolute URL without a fragment."),
        (["--resource", "https://a.example/#a"], "--resource takes an absolute URL without a fragment."),
        (["--audience", "a", "--scope", "read\twrite"], "Scopes are separated by spaces alone: --scope 'read write'"),
        (["--audience", ""], "--audience and --resource take a value that is not empty."),
    ])
    func `wrong arguments for another API end with exit code 2`(arguments: [String], sentence: String) async throws {
        let output = try await run(["token", "--store", "memory"] + arguments)
        #expect(output.exitCode == 2)
        #expect(output.text.isEmpty)
        #expect(output.errorText.contains(sentence), "\(output.errorText)")
    }

    @Test func `a step-up without a session ends with exit code 3`() async throws {
        let output = try await run(["login", "--store", "memory", "--step-up", "--max-age", "60"])
        #expect(output.exitCode == 3, "\(output.errorText)")
        #expect(output.notes.count == 2, "\(output.errorText)")
    }

    @Test(arguments: ["http://id.example.com", "http://192.0.2.1:8080", "http://localhost.example.com"])
    func `an issuer over plain http on another machine is refused before anything is sent`(
        issuer: String
    ) async throws {
        let output = try await run(["login", "--store", "memory", "--issuer", issuer, "--client-id", "native"])
        #expect(output.exitCode == 2)
        #expect(output.notes.first == "Plain http is allowed only for a loopback address; use https.")
        #expect(output.notes.count == 2, "\(output.errorText)")
    }

    @Test(arguments: [
        "id.example.com", "ftp://id.example.com", "https://id.example.com/?a=b", "https://id.example.com/#a",
    ])
    func `an invalid issuer ends with exit code 2`(issuer: String) async throws {
        let output = try await run(["login", "--store", "memory", "--issuer", issuer, "--client-id", "native"])
        #expect(output.exitCode == 2)
        #expect(output.text.isEmpty)
        #expect(output.notes.count == 2, "\(output.errorText)")
    }

    @Test(arguments: ["--ca-file", "--client-secret-file", "--private-key"])
    func `a missing file is named before anything is sent`(option: String) async throws {
        let arguments = ["--client-id", "native", option, "/nonexistent/file"]
        // No server listens there: a request would cause another message.
        let output = try await run(["login", "--store", "memory", "--issuer", "http://127.0.0.1:9"] + arguments)
        #expect(output.exitCode == 2, "\(output.errorText)")
        #expect(output.text.isEmpty)
        #expect(output.notes.count == 2, "\(output.errorText)")
        #expect(output.notes.last?.contains(option) == true)
    }

    /// RFC 6749, A.2.
    ///
    /// A message about "the token" would send the user to look for one.
    @Test(arguments: [Data("p\u{E4}ss\n".utf8), Data([0x70, 0xE4, 0x73, 0x0A]), Data("a\tb".utf8)])
    func `an invalid client secret is reported with its file before anything is sent`(bytes: Data) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appending(path: "secret")
        try bytes.write(to: file)
        let arguments = ["--client-id", "native", "--client-secret-file", file.path]
        let output = try await run(["login", "--store", "memory", "--issuer", "http://127.0.0.1:9"] + arguments)
        #expect(output.exitCode == 2, "\(output.errorText)")
        #expect(output.text.isEmpty)
        #expect(output.notes.first == "The client secret contains a character that is not allowed in it.")
        #expect(output.notes.last?.contains(file.path) == true, "\(output.errorText)")
        #expect(output.notes.count == 2)
    }

    @Test func `a file that holds no private key is named before anything is sent`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appending(path: "key.pem")
        try Data("s3cret".utf8).write(to: file)
        let arguments = ["--client-id", "native", "--private-key", file.path]
        let output = try await run(["login", "--store", "memory", "--issuer", "http://127.0.0.1:9"] + arguments)
        #expect(output.exitCode == 2, "\(output.errorText)")
        #expect(output.text.isEmpty)
        #expect(output.notes.count == 2, "\(output.errorText)")
        #expect(output.notes.last?.contains(file.path) == true)
        #expect(!output.errorText.contains("s3cret"))
    }

    @Test func `a key that can't sign with the algorithm is named before anything is sent`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appending(path: "key.pem")
        try Data(P256.Signing.PrivateKey().pemRepresentation.utf8).write(to: file)
        let arguments = ["--client-id", "native", "--private-key", file.path, "--assertion-algorithm", "ps256"]
        let output = try await run(["login", "--store", "memory", "--issuer", "http://127.0.0.1:9"] + arguments)
        #expect(output.exitCode == 2, "\(output.errorText)")
        #expect(output.notes.last?.contains("--assertion-algorithm") == true, "\(output.errorText)")
        #expect(output.notes.count == 2)
    }

    @Test func `a certificate that is none is named before anything is sent`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appending(path: "certificate.pem")
        try Data("s3cret".utf8).write(to: file)
        let arguments = ["--client-id", "native", "--certificate", file.path, "--certificate-key", file.path]
        let output = try await run(["login", "--store", "memory", "--issuer", "http://127.0.0.1:9"] + arguments)
        #expect(output.exitCode == 2, "\(output.errorText)")
        #expect(output.notes.last == "Check --certificate and --certificate-key.")
        #expect(output.notes.count == 2)
        #expect(!output.errorText.contains("s3cret"))
    }

    @Test(arguments: ["userinfo", "revoke"])
    func `userinfo and revoke end with exit code 3 if no user is signed in`(command: String) async throws {
        let output = try await run([command, "--store", "memory"])
        #expect(output.exitCode == 3)
        #expect(output.notes.count == 2, "\(output.errorText)")
    }
}

extension KeyringSuite {
    @Suite("Provider commands in a backend session")
    struct ProviderCommandTests {
        @Test(arguments: ["userinfo", "revoke"])
        func `userinfo and revoke are wrong arguments, and the session stays`(command: String) async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let output = try await stage.tool(command)
                #expect(output.exitCode == 2)
                #expect(output.text.isEmpty)
                #expect(output.notes.count == 2, "\(output.errorText)")
                #expect(try await stage.tool("status").exitCode == 0)
            }
        }
    }
}
