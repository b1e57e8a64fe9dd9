// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@Suite("The name of a server after login")
struct LoginNameTests {
    @Test(arguments: [
        "google", "microsoft", "auth0", "okta", "keycloak", "cognito", "gitlab", "github", "google --device",
        "https://accounts.google.com", "https://github.com", "https://github.com --device",
        "https://id.example.com/realms/a",
    ])
    func `a known provider without a client ID says in three lines which one it needs and where it is made`(
        line: String
    ) async throws {
        let given = line.split(separator: " ").map(String.init)
        let name = given[0]
        let output = try await Tool.runAlone(["login"] + given)
        #expect(output.exitCode == 2)
        #expect(output.text.isEmpty)
        try #require(output.notes.count == 3, "\(output.errorText)")
        #expect(output.notes[0].hasPrefix("\(name) needs a client ID: that of "))
        #expect(output.notes[1].hasPrefix("Make it at https://"))
        let command = try #require(output.notes[2].split(separator: ": ").last)
        #expect(command.hasPrefix("sallyport login \(name) "))
        #expect(given.count == 1 || command.hasSuffix(" --device"))
        let isTV = output.notes[0].contains("TVs and Limited Input devices")
        #expect(isTV == (line == "google --device"))
        let words = command.split(separator: " ").dropFirst().map {
            $0 == "URL" ? "https://id.example.com" : String($0)
        }
        let parsed = try await Tool.runAlone(["parse"] + words)
        #expect(parsed.exitCode == 0, "\(parsed.errorText)")
    }

    @Test(arguments: [
        ([], "Give NAME: a known provider, an address or an account."),
        (["nowhere"], "There is no provider and no account nowhere."),
        (["../x"], "There is no provider and no account"),
        (["github", "--provider", "google"], "--provider can't be used with github"),
        (["github", "--backend", "https://a.example"], "--backend can't be used with github"),
        (["work", "--issuer", "https://a.example"], "--issuer can't be used with work"),
        (["https://a.example", "--issuer", "https://b.example"], "--issuer can't be used with https://a.example"),
        (["github", "--step-up"], "github can't be used with --step-up"),
        (["https://a.example"], "https://a.example may be a provider or a backend"),
        (["https://a.example", "--device"], "https://a.example needs --client-id ID; an empty one registers"),
        (["https://a.example", "--oauth"], "https://a.example needs --client-id ID"),
        (["https://a.example", "--scope", "openid"], "https://a.example needs --client-id ID"),
        (["https://a.example", "--client-secret-file", "a"], "https://a.example needs --client-id ID"),
        (["https://jane:s3cret@a.example", "--device"], "NAME needs --client-id ID"),
        (["https://a.example", "--password-stdin"], "Give either --email ADDRESS or --apple."),
        (["gitlab", "--client-id", "a", "--tenant", "b"], "Leave it out, or sign in with login microsoft."),
        (["https://a.example", "--email", "a@example.com", "--apple"], "Give either --email ADDRESS or --apple."),
        (["https://a.example", "--client-id", "a", "--scope", "email"], "--scope must contain openid."),
        (["http://a.example", "--client-id", "a"], "Plain http is allowed only for a loopback address"),
        (["okta", "--client-id", "a"], "The provider okta has no address of its own."),
        (["gitlab", "--issuer", "https://github.com", "--client-id", "a"], "are not for github"),
        (["https://jane:s3cret@a.example"], "NAME may be a provider or a backend"),
        (["https://a.example?key=s3cret", "--issuer", "https://b.example"], "--issuer can't be used with NAME"),
        (["jane:s3cret@a.example"], "There is no provider and no account NAME."),
        (["https://jane:s3cret@a.example", "--step-up"], "NAME can't be used with --step-up"),
        (
            ["https://jane:s3cret@a.example/.well-known/openid-configuration", "--client-id", "a"],
            "A server's address must not contain a user"
        ),
    ])
    func `a name that names no server, or a second one, ends with exit code 2 and shows no password`(
        words: [String],
        sentence: String
    )
        async throws
    {
        let output = try await Tool.runAlone(["login"] + words)
        #expect(output.exitCode == 2, "\(output.errorText)")
        #expect(output.text.isEmpty)
        #expect(output.errorText.contains(sentence), "\(output.errorText)")
        #expect(!output.errorText.contains("s3cret"), "\(output.errorText)")
    }

    @Test func `the check of a command line refuses a name that names no server`() async throws {
        let output = try await Tool.runAlone(["parse", "login", "githbu", "--client-id", "ID"])
        #expect(output.exitCode == 2)
        #expect(output.notes.first == "There is no provider and no account githbu.")
    }

    @Test(arguments: [("\"$PWD\"", 0), (".", 2)])
    func `a home folder has accounts only if HOME is an absolute path`(home: String, code: Int32) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let accounts = folder.url.appending(path: ".config/sallyport/providers.d")
        try FileManager.default.createDirectory(at: accounts, withIntermediateDirectories: true)
        let work = #"{"issuer": "https://id.example.com", "client_id": "a"}"#
        try Data(work.utf8).write(to: accounts.appending(path: "work.json"))
        let line = "cd \"$1\" && unset XDG_CONFIG_HOME && HOME=\(home) \"$2\" parse login work"
        let tool = try Executable.besideTests("sallyport").path
        let output = try await Command("sh", ["-c", line, "sh", folder.url.path, tool]).run()
        #expect(output.exitCode == code, "\(output.errorText)")
    }
}

extension KeyringSuite {
    @Suite("The address of a backend after login")
    struct BackendNameTests {
        @Test func `login ADDRESS --email signs in at a backend`() async throws {
            try await Stage.run { stage in
                let words = ["login", stage.url, "--email", Stage.email, "--password-stdin"]
                let login = try await stage.tool.run(words, input: Stage.password + "\n")
                #expect(login.exitCode == 0, "\(login.errorText)")
                #expect(try await stage.tool("status").exitCode == 0)
            }
        }

        @Test func `login without an address signs in there again, and asks for the password`() async throws {
            try await Stage.run { stage in
                let words = ["login", stage.url, "--email", Stage.email, "--password-stdin"]
                #expect(try await stage.tool.run(words, input: Stage.password + "\n").exitCode == 0)
                #expect(try await stage.tool("logout").exitCode == 0)
                let asked = try await stage.tool("login")
                #expect(asked.exitCode == 2)
                #expect(asked.notes.first == "Signing in again at \(stage.url).")
                #expect(asked.notes.last == "Pass it on standard input with --password-stdin.")
                let again = try await stage.tool("login", "--password-stdin", input: Stage.password + "\n")
                #expect(again.exitCode == 0, "\(again.errorText)")
                #expect(try await stage.tool("status").exitCode == 0)
            }
        }
    }
}
