// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@Suite("The tool's arguments")
struct ArgumentTests {
    /// Runs the tool in a home directory of its own, without a session bus.
    private func run(_ arguments: [String], input: String = "") async throws -> Command.Output {
        try await Tool.runAlone(arguments, input: input)
    }

    @Test(arguments: [
        ["frobnicate"], ["help", "frobnicate"], ["status", "--unknown"], ["status", "--store", "cellar"],
        ["status", "--http-timeout", "0"],
        ["status", "--profile", "a/b"], ["token", "--min-ttl", "-1"], ["token", "--min-ttl", "soon"],
        ["token", "--json", "--header"], ["token", "--id", "--json", "--header"], ["api", "GET"],
        ["api", "GET", "/", "--concurrent", "0"], ["api", "GET", "/", "--data", "1", "--data-file", "2"],
        ["api", "N O", "/"], ["login"], ["login", "--backend", "https://api.example.com"],
        ["login", "--backend", "https://api.example.com", "--email", "a@example.com", "--apple"],
        ["login", "--backend", "https://api.example.com", "--apple", "--redirect-host", "localhost"],
        ["login", "--backend", "api.example.com", "--email", "a@example.com", "--password-stdin"],
        ["login", "--backend", "https://api.example.com", "--email", "a@example.com", "--json", "--print-token"],
    ])
    func `wrong arguments end with exit code 2`(arguments: [String]) async throws {
        let output = try await run(arguments)
        #expect(output.exitCode == 2)
        #expect(output.text.isEmpty)
        #expect(!output.errorText.isEmpty)
    }

    @Test(arguments: ["--issuer https://id.example.com", "--provider google", "--oauth"])
    func `a missing client ID is named with the option that needs it`(words: String) async throws {
        let words = words.split(separator: " ").map(String.init)
        let output = try await run(["login"] + words)
        #expect(output.exitCode == 2)
        #expect(output.errorText.contains("\(words[0]) needs --client-id ID"))
        #expect(output.errorText.contains("registers a client") == (words[0] != "--provider"))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
    func `a result that can't be written is exit code 1 and one sentence`() async throws {
        let tool = try Executable.besideTests("sallyport").path
        for words in ["--help", "completions bash", "decode eyJhbGciOiJub25lIn0.e30."] {
            let output = try await Command("sh", ["-c", "'\(tool)' \(words) >/dev/full"]).run()
            #expect(output.exitCode == 1, "\(words)")
            #expect(output.errorText.contains("The result could not be written to standard output (errno 28)."))
        }
    }

    @Test func `plain http to another machine is refused before the password is read`() async throws {
        let arguments = [
            "login", "--backend", "http://api.example.com", "--email", "a@example.com", "--password-stdin",
        ]
        let output = try await run(arguments, input: "a password\n")
        #expect(output.exitCode == 2)
        #expect(output.text.isEmpty)
        #expect(output.notes.first == "Plain http is allowed only for a loopback address; use https.")
        #expect(output.notes.count == 2)
    }

    @Test func `an issuer over plain http on another machine is refused before a browser opens`() async throws {
        let output = try await run([
            "login", "--store", "memory", "--backend", "https://api.example.com", "--apple", "--apple-issuer",
            "http://appleid.example.com",
        ])
        #expect(output.exitCode == 2)
        #expect(output.notes.first == "Plain http is allowed only for a loopback address; use https.")
        #expect(output.notes.count == 2)
    }

    @Test func `the tool does not prompt for the password without a terminal`() async throws {
        let arguments = ["login", "--backend", "https://api.example.com", "--email", "a@example.com", "--no-remember"]
        let output = try await run(arguments, input: "a password\n")
        #expect(output.exitCode == 2)
        #expect(output.notes.last == "Pass it on standard input with --password-stdin.")
    }

    @Test(arguments: [["--help"], ["help"], ["help", "login"], ["help", "help"], ["api", "--help"], ["--version"]])
    func `help and version are printed to standard output`(arguments: [String]) async throws {
        let output = try await run(arguments)
        #expect(output.exitCode == 0)
        #expect(!output.text.isEmpty)
        #expect(output.errorText.isEmpty)
    }

    // MARK: decode

    private static func token(_ claims: String) -> String {
        [#"{"alg":"RS256","typ":"JWT"}"#, claims, "signature"].map { part in
            Data(part.utf8).base64EncodedString()
                .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }.joined(separator: ".")
    }

    private static let token = token(#"{"sub":"ada","exp":4102444800}"#)

    @Test(arguments: [["decode"], ["decode", "-"]])
    func `a token from standard input is shown with a warning that it is not verified`(
        arguments: [String]
    ) async throws {
        let output = try await run(arguments, input: Self.token + "\n")
        #expect(output.exitCode == 0)
        #expect(output.text.contains("sub  ada\n"))
        #expect(output.text.contains("2100-01-01T00:00:00Z (in "))
        #expect(output.notes == ["Not verified: don't trust these claims."])
    }

    @Test func `a token is printed as one JSON object`() async throws {
        let output = try await run(["decode", "--json"], input: Self.token)
        #expect(output.exitCode == 0)
        #expect(output.object["verified"] as? Bool == false)
        #expect((output.object["claims"] as? [String: Any])?["sub"] as? String == "ada")
        #expect((output.object["header"] as? [String: Any])?["alg"] as? String == "RS256")
    }

    @Test func `a token's control characters don't reach the terminal`() async throws {
        let output = try await run(["decode"], input: Self.token(#"{"sub":"a\u001b[31mda"}"#))
        #expect(output.exitCode == 0)
        #expect(output.text.contains("sub  a[31mda\n"))
    }

    @Test(arguments: ["", "no token", "a.b", "a.b.c", "!.!.!"])
    func `a malformed token ends with exit code 1`(token: String) async throws {
        let output = try await run(["decode"], input: token)
        #expect(output.exitCode == 1)
        #expect(output.text.isEmpty)
        #expect(output.notes.count == 2)
    }
}
