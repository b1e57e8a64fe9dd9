// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The requests that git's credential helper answers.
///
/// No user is signed in, so that an answer is exit code 3 and one sentence. Any other request gets nothing at all.
@Suite("The repositories that get a credential from the tool")
struct GitCredentialMatchTests {
    private func run(_ arguments: [String], input: String) async throws -> Command.Output {
        try await Tool.runAlone(["git-credential", "--store", "memory"] + arguments, input: input)
    }

    private func expect(
        _ isAnswered: Bool,
        _ urls: [String],
        _ request: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let output = try await run(urls.flatMap { ["--for", $0] } + ["get"], input: request)
        #expect(output.text.isEmpty, sourceLocation: sourceLocation)
        #expect(output.exitCode == (isAnswered ? 3 : 0), "\(output.errorText)", sourceLocation: sourceLocation)
        let notes = isAnswered ? ["sallyport: You are not signed in."] : []
        #expect(output.notes == notes, sourceLocation: sourceLocation)
    }

    private func description(_ scheme: String, _ host: String, path: String? = nil) -> String {
        "protocol=\(scheme)\nhost=\(host)\n" + (path.map { "path=\($0)\n" } ?? "") + "\n"
    }

    // MARK: The server

    @Test(
        arguments: [
            ("https://git.example", "https", "git.example"),
            ("https://git.example/", "https", "git.example"),
            ("https://GIT.example", "https", "git.EXAMPLE"),
            ("https://git.example", "https", "git.example:443"),
            ("https://git.example:443", "https", "git.example"),
            ("https://git.example:8443", "https", "git.example:8443"),
            ("https://git.example.", "https", "git.example."),
            ("https://[2001:db8::1]", "https", "[2001:DB8::1]:443"),
            ("http://127.0.0.1:8080", "http", "127.0.0.1:8080"),
            ("http://127.0.0.1", "http", "127.0.0.1:80"),
            ("http://localhost:8080", "http", "LOCALHOST:8080"),
            ("http://[::1]:8080", "http", "[::1]:8080"),
        ]
    )
    func `the server of the URL is answered`(url: String, scheme: String, host: String) async throws {
        try await expect(true, [url], description(scheme, host))
    }

    @Test(
        arguments: [
            ("https", "git.example.org"), ("https", "example"), ("https", "x.git.example"), ("https", "xgit.example"),
            ("https", "git.example."), ("https", "git.example:8443"), ("https", "git.example:80"),
            ("https", "git.example:"), ("https", "git.example:x"), ("https", "git.example:443:443"),
            ("https", "git.example:65979"), ("https", "user@git.example"), ("https", "user:x@git.example"),
            ("https", "git.example@evil.example"), ("https", "git.example/"), ("https", "git.example/x"),
            ("https", "git.example?"), ("https", "git.example#"), ("https", "git.example\\x"),
            ("https", " git.example"),
            ("https", "git.example "), ("https", "git%2Eexample"), ("https", "git.example%00"),
            ("https", "git\t.example"), ("https", "gıt.example"), ("https", ""), ("https", "[git.example]"),
            ("http", "git.example"),
            ("http", "git.example:443"), ("ssh", "git.example"), ("ftp", "git.example"), ("", "git.example"),
            ("https://git.example/?", "git.example"), ("https:", "git.example"),
        ]
    )
    func `another server gets nothing`(scheme: String, host: String) async throws {
        try await expect(false, ["https://git.example"], description(scheme, host))
    }

    @Test(
        arguments: [
            ("http", "127.0.0.1:8081"), ("http", "localhost:8080"), ("http", "127.0.0.2:8080"), ("http", "127.1:8080"),
            ("http", "127.0.0.1.example:8080"), ("https", "127.0.0.1:8080"), ("http", "[::1]:8080"),
            ("http", "[::ffff:127.0.0.1]:8080"), ("http", "[::1%25lo]:8080"), ("http", "::1:8080"),
        ]
    )
    func `another address of this machine gets nothing`(scheme: String, host: String) async throws {
        try await expect(false, ["http://127.0.0.1:8080"], description(scheme, host))
    }

    @Test func `plain http beyond loopback gets nothing, even if it is named`() async throws {
        let arguments = ["--for", "http://git.example", "get"]
        let output = try await run(arguments, input: description("http", "git.example"))
        #expect(output.exitCode == 0)
        #expect(output.text.isEmpty)
        #expect(output.notes.count == 1, "\(output.errorText)")
        try await expect(true, ["https://git.example"], description("https", "git.example"))
    }

    @Test func `each of several URLs is answered`() async throws {
        let urls = ["https://one.example", "https://two.example/team"]
        try await expect(true, urls, description("https", "one.example"))
        try await expect(true, urls, description("https", "two.example", path: "team/project.git"))
        try await expect(false, urls, description("https", "two.example"))
    }

    // MARK: The path

    @Test(arguments: [
        ("", "any/project.git"), ("/", "any"), ("", "a/../b"), ("/team", "team"), ("/team", "team/project.git"),
        ("/team/", "team/project.git"), ("/team", "/team/project.git"), ("/team", "team/"), ("/team/a", "team/a"),
        ("/my%20team", "my team/project.git"), ("/te%61m", "team/project.git"), ("/a/b", "a/b/c/d"),
    ])
    func `a repository below the path is answered`(path: String, requested: String) async throws {
        let request = description("https", "git.example", path: requested)
        try await expect(true, ["https://git.example" + path], request)
    }

    @Test(
        arguments: [
            nil, "", "/", "tea", "teams/project.git", "team.git", "Team/project.git", "other/team", "team/../other",
            "team/./project.git", "team/..", "../team/x", "./team/x", "team//project.git", "//team/x", "team/%2e%2e/x",
            "team%2Fx", "%74eam/x", "team\\..\\other", "team?x", "team#x", "team;x/y", "team/x\u{7F}", "te\u{301}am/x",
        ] as [String?]
    )
    func `a repository elsewhere on the server gets nothing`(requested: String?) async throws {
        let request = description("https", "git.example", path: requested)
        try await expect(false, ["https://git.example/team"], request)
    }

    @Test func `a path is compared by its bytes`() async throws {
        // The same text to a reader: one letter, or a letter with an accent.
        let urls = ["https://git.example/caf%C3%A9"]
        try await expect(true, urls, description("https", "git.example", path: "caf\u{E9}/x"))
        try await expect(false, urls, description("https", "git.example", path: "cafe\u{301}/x"))
    }

    // MARK: The description

    private static let good = "protocol=https\nhost=git.example\n"

    @Test(
        arguments: [
            good, good + "\n", good + "\n\n", "protocol=https\nhost=git.example",
            "host=git.example\nprotocol=https\n\n",
            good + "username=oauth2\n\n", good + "unknown=x\n\n", good + "unknown=\n\n", good + "state[]=other:1\n\n",
            good + "capability[]=authtype\ncapability[]=state\ncapability[]=later\n\n", good + "wwwauth[]=Basic\n\n",
            good + "unknown=\(String(repeating: "x", count: 60_000))\n\n",
            good + "path=a\(String(repeating: "\u{301}", count: 2_048))\n\n",
        ]
    )
    func `a description that git sends is read`(request: String) async throws {
        try await expect(true, ["https://git.example"], request)
    }

    @Test(
        arguments: [
            "", "\n", "protocol=https\n\n", "host=git.example\n\n", good + "host=git.example\n\n",
            "protocol=https\nhost=evil.example\nhost=git.example\n\n", good + "protocol=https\n\n",
            good + "\nhost=evil.example\n", "\n" + good, good + "username=oauth2\nusername=oauth2\n\n",
            good + "path=a\npath=b\n\n", good + "url=https://evil.example\n\n", good + "no equals sign\n\n",
            good + "=x\n\n", "protocol=https\r\nhost=git.example\r\n\r\n", "protocol=https\nhost=git.example\r\n\n",
            good + "username=oauth2\rhost=evil.example\n\n", "protocol=https\nhost=git.example\u{0}\n\n",
            good + "unknown=a\u{0}b\n\n", "protocol=https\nhost=evil.example\nprotocol=https\nhost=git.example\n\n",
            good + "unknown=\(String(repeating: "x", count: 65_535))\n\n",
            good + "path=a\(String(repeating: "\u{301}", count: 2_049))\n\n",
            good + String(repeating: "a[]=\(String(repeating: "x", count: 1_000))\n", count: 300),
        ]
    )
    func `a description that git does not send gets nothing`(request: String) async throws {
        try await expect(false, ["https://git.example"], request)
    }

    @Test func `a description that is not UTF-8 gets nothing`() async throws {
        let home = try TemporaryFolder()
        defer { home.remove() }
        let command = try Command(
            Executable.besideTests("sallyport").path,
            ["git-credential", "--store", "memory", "--for", "https://git.example", "get"],
            environment: ["HOME": home.url.path],
            input: Data(Self.good.utf8) + Data([0x78, 0x3D, 0xFF, 0x0A])
        )
        let output = try await command.run()
        #expect(output.exitCode == 0, "\(output.errorText)")
        #expect(output.text.isEmpty)
    }

    @Test func `a user name that the URL of the repository names must be the tool's`() async throws {
        let named = Self.good + "username=ada\n\n"
        try await expect(false, ["https://git.example"], named)
        let output = try await run(["--for", "https://git.example", "--username", "ada", "get"], input: named)
        #expect(output.exitCode == 3)
    }

    // MARK: The operation and the arguments

    @Test(arguments: ["store", "erase", "capability", "approve", "later"])
    func `an operation other than get is silent`(operation: String) async throws {
        let output = try await run(
            ["--for", "https://git.example", operation],
            input: Self.good + "username=oauth2\npassword=secret\n\n"
        )
        #expect(output.exitCode == 0, "\(output.errorText)")
        #expect(output.text.isEmpty && output.errorText.isEmpty)
    }

    @Test(arguments: [
        ["get"], ["--for", "https://git.example"], ["--for", "git.example", "get"],
        ["--for", "https://ada:secret@git.example", "get"], ["--for", "ssh://git.example", "get"],
        ["--for", "https://git.example?x", "get"], ["--for", "https://git.example/a/../b", "get"],
        ["--for", "https://git.example/%2e%2e/b", "get"], ["--for", "https://git.example/a//b", "get"],
        ["--for", "https://git.example/%FF", "get"], ["--for", "https://git.example/a%0Ab", "get"],
        ["--for", "https://git.example\nhost=evil.example", "get"],
        ["--for", "https://git.example", "--username", "a\nb", "get"],
        ["--for", "https://git.example", "--username", "a:b", "get"],
        ["--for", "https://git.example", "--username", "", "get"],
    ])
    func `wrong arguments end with exit code 2, and show no password`(arguments: [String]) async throws {
        let output = try await run(arguments, input: Self.good)
        #expect(output.exitCode == 2, "\(output.errorText)")
        #expect(output.text.isEmpty)
        #expect(!output.errorText.contains("secret"))
    }
}
