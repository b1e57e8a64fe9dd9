// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@Suite(
    "The accounts that files name",
    .enabled(
        if: MisbehavingProvider.isAvailable,
        "needs Python's cryptography and curl; Tests/run installs them"
    )
)
struct NamedAccountTests {
    private static let client = MisbehavingProvider.publicClient
    /// A file whose issuer nobody answers for.
    private static let silent = #"{"issuer": "http://127.0.0.1:9", "client_id": "a"}"#

    /// Writes a file of the user's.
    @discardableResult
    private func write(_ text: String, as name: String, mode: Int = 0o600, in stage: OpenIDStage) throws -> URL {
        let home = URL(filePath: try #require(stage.tool.environment["XDG_CONFIG_HOME"]))
        let folder = home.appending(path: "sallyport/providers.d")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "\(name).json")
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file
    }

    @Test func `login with the name of an account, or with an issuer's address, signs in`() async throws {
        try await OpenIDStage.run { stage in
            let issuer = stage.provider.issuer
            let members = #""client_id": "\#(Self.client)", "scope": "openid email""#
            try write(#"{"issuer": "\#(issuer)", \#(members)}"#, as: "work", in: stage)
            let named = try await stage.tool("login", "work", "--store", "memory", "--json")
            #expect(named.exitCode == 0, "\(named.errorText)")
            #expect(named.object["issuer"] as? String == issuer)
            let address = try #require(stage.addresses.last.flatMap { URLComponents(string: $0) })
            #expect(address.queryItems?.first { $0.name == "scope" }?.value == "openid email")
            let direct = try await stage.tool("login", issuer, "--client-id", Self.client, "--store", "memory")
            #expect(direct.exitCode == 0, "\(direct.errorText)")
        }
    }

    @Test(arguments: [
        ("{", 0o600, "it is not a JSON object"), ("[]", 0o600, "it is not a JSON object"),
        (#"{"issuer": "https://a.example"}"#, 0o600, "it has no issuer or no client_id"),
        (#"{"issuer": "http://a.example", "client_id": "a"}"#, 0o600, "its issuer is not an https address"),
        (#"{"issuer": 1, "client_id": "a"}"#, 0o600, "its member issuer is unknown or not a string"),
        (
            #"{"issuer": "https://a.example", "client_id": "a", "secret": "s3cret"}"#, 0o600,
            "its member secret is unknown"
        ),
        (#"{"issuer": "https://a.example", "client_id": "a", "scope": "a\"b"}"#, 0o600, "its scope is not a list"),
        (#"{"issuer": "https://a.example", "client_id": "a", "provider": "b"}"#, 0o600, "its provider is unknown"),
        (
            #"{"issuer": "https://gitlab.com", "client_id": "a", "provider": "okta"}"#, 0o600,
            "its issuer is not an https address, or not one of its provider"
        ),
        (silent, 0o602, "other users may write to it"),
        (silent + String(repeating: " ", count: 16_384), 0o600, "it is larger than 16 KiB"),
    ])
    func `a bad file is named in one sentence, and breaks no other name`(text: String, mode: Int, reason: String)
        async throws
    {
        try await OpenIDStage.run { stage in
            let file = try write(text, as: "work", mode: mode, in: stage)
            try write(Self.silent, as: "other", in: stage)
            let login = try await stage.tool("login", "work", "--store", "memory")
            #expect(login.exitCode == 2, "\(login.errorText)")
            #expect(login.text.isEmpty)
            #expect(login.notes.count == 2)
            #expect(login.notes.first?.hasPrefix("The file \(file.path) can't be used: \(reason)") == true)
            #expect(!login.errorText.contains("s3cret"))
            #expect(try await stage.tool("login", "other", "--store", "memory").exitCode == 6)
            let doctor = try await stage.tool("doctor", "--store", "memory")
            #expect(doctor.text.contains("other.json can be used."), "\(doctor.text)")
            #expect(doctor.text.contains("work.json can't be used: \(reason)"), "\(doctor.text)")
            #expect(!doctor.text.contains("s3cret"))
        }
    }

    @Test(arguments: [
        ("mkfifo", "it is not a regular file"), ("mkdir", "it is not a regular file"),
        ("ln -s /nonexistent", "it can't be read"),
    ])
    func `a name that is no regular file is not waited for`(line: String, reason: String) async throws {
        try await OpenIDStage.run { stage in
            let file = try write("", as: "work", in: stage)
            try FileManager.default.removeItem(at: file)
            let words = line.split(separator: " ").map(String.init)
            _ = try await Command(words[0], words.dropFirst() + [file.path]).run()
            let login = try await stage.tool("login", "work", "--store", "memory")
            #expect(login.exitCode == 2, "\(login.errorText)")
            #expect(login.errorText.contains(reason), "\(login.errorText)")
            let doctor = try await stage.tool("doctor", "--store", "memory")
            #expect(doctor.text.contains("work.json can't be used: \(reason)"), "\(doctor.text)")
        }
    }

    @Test func `the name of a known provider takes a client ID from a file, and no other issuer`() async throws {
        try await OpenIDStage.run { stage in
            for (issuer, provider) in [
                ("https://a.example", nil), ("https://gitlab.com", nil), ("https://a.example", "gitlab"),
            ] {
                let rules = provider.map { #", "provider": "\#($0)""# } ?? ""
                try write(#"{"issuer": "\#(issuer)", "client_id": "a"\#(rules)}"#, as: "github", in: stage)
                let login = try await stage.tool("login", "github", "--store", "memory")
                #expect(login.exitCode == 2, "\(login.errorText)")
                #expect(login.errorText.contains("github.json can't be used: its "), "\(login.errorText)")
                // A client ID on the command line leaves nothing for the file to say.
                #expect(try await stage.tool("parse", "login", "github", "--client-id", "a").exitCode == 0)
            }
            try write(#"{"issuer": "https://github.com", "client_id": "a-client"}"#, as: "github", in: stage)
            let login = try await stage.tool(
                "login",
                "github",
                "--store",
                "memory",
                "--no-browser",
                "--login-timeout",
                "1"
            )
            #expect(login.errorText.contains("https://github.com/login/oauth/authorize?"), "\(login.errorText)")
            #expect(login.errorText.contains("a-client"), "\(login.errorText)")
        }
    }

    /// Root alone may mount another `/etc`, in a namespace of its own.
    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `the administrator's file wins over the user's, and only if root or the user alone can write it`()
        async throws
    {
        try await OpenIDStage.run { stage in
            try write(Self.silent, as: "work", in: stage)
            let issuer = stage.provider.issuer
            let system = stage.folder.url.appending(path: "work.json")
            try Data(#"{"issuer": "\#(issuer)", "client_id": "\#(Self.client)"}"#.utf8).write(to: system)
            let tool = try Executable.besideTests("sallyport").path
            func run(_ change: String, _ arguments: String) async throws -> Command.Output {
                let line = """
                    umask 022
                    mkdir -p "$1/etc/sallyport/providers.d" "$1/etc/ssl" || exit 99
                    cp -a /etc/passwd /etc/hosts "$1/etc" && cp -a /etc/ssl/certs "$1/etc/ssl" || exit 99
                    install -m 644 "$1/work.json" "$1/etc/sallyport/providers.d/work.json" || exit 99
                    (cd "$1/etc/sallyport" && \(change)) && mount --bind "$1/etc" /etc || exit 99
                    '\(tool)' \(arguments) --store memory
                    code=$?; umount /etc; rm -r "$1/etc"; exit $code
                    """
                let words = ["--mount", "sh", "-c", line, "sh", stage.folder.url.path]
                return try await Command("unshare", words, environment: stage.tool.environment).run()
            }
            // The note doesn't depend on the list of `doctor`, which ends after 64 names.
            let others = try (0..<64).map { try write(Self.silent, as: "a\($0)", in: stage) }
            let login = try await run("true", "login work --json")
            for other in others { try FileManager.default.removeItem(at: other) }
            if login.exitCode == 99 { try Test.cancel("this machine allows no mount") }
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(login.object["issuer"] as? String == issuer)
            let note = "work.json is not used: /etc/sallyport/providers.d/work.json has the same name."
            #expect(login.notes.first?.hasSuffix(note) == true, "\(login.errorText)")
            let doctor = try await run("true", "doctor")
            #expect(doctor.text.contains(note), "\(doctor.text)")
            for (change, reason) in [
                ("chmod 664 providers.d/work.json", "other users may write to it"),
                ("chown 12345 providers.d/work.json", "it belongs to another user"),
                ("chmod 777 providers.d", "other users may write to its folder"),
                ("chown 12345 providers.d", "its folder belongs to another user"),
            ] {
                let refused = try await run(change, "login work")
                #expect(refused.exitCode == 2, "\(change): \(refused.errorText)")
                let sentence = "The file /etc/sallyport/providers.d/work.json can't be used: \(reason)."
                #expect(refused.notes.first == sentence, "\(change): \(refused.errorText)")
            }
        }
    }
}
