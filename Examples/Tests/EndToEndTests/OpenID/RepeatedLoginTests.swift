// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@Suite(
    "Login without a name",
    .enabled(if: MisbehavingProvider.isAvailable, "needs Python's cryptography and curl; Tests/run installs them")
)
struct RepeatedLoginTests {
    private static let client = MisbehavingProvider.publicClient
    private static let advice = "Give NAME: a known provider, an address or an account."

    /// The file of the default profile.
    private func file(in stage: OpenIDStage) throws -> URL {
        let state = URL(filePath: try #require(stage.tool.environment["XDG_STATE_HOME"]))
        return state.appending(path: "sallyport/profiles/sallyport/default.login")
    }

    /// Runs the tool in the test's own folder, in which `key` is the key of an encrypted file.
    private func inFolder(_ words: [String], of stage: OpenIDStage) async throws -> Command.Output {
        let tool = try Executable.besideTests("sallyport").path
        let key = """
            umask 077; cd "$1" && shift && { [ -e key ] || head -c 32 /dev/urandom >key; } && umask 022 && exec "$@"
            """
        let arguments = ["-c", key, "sh", stage.folder.url.path, tool] + words
        return try await Command("sh", arguments, environment: stage.tool.environment).run()
    }

    /// The client ID and the scope of each address that the browser was sent to.
    private func requests(of stage: OpenIDStage) -> [String] {
        stage.addresses.map { address in
            let items = URLComponents(string: address)?.queryItems ?? []
            return ["client_id", "scope"].map { name in items.first { $0.name == name }?.value ?? "-" }
                .joined(separator: " ")
        }
    }

    @Test func `it repeats the last sign-in of the profile that kept a session, also after a logout`() async throws {
        try await OpenIDStage.run { stage in
            let issuer = stage.provider.issuer
            let memory = try await stage.tool("login", issuer, "--client-id", Self.client, "--store", "memory")
            #expect(memory.exitCode == 0, "\(memory.errorText)")
            let unknown = try await stage.tool("login")
            #expect(unknown.exitCode == 2)
            #expect(unknown.notes == ["This profile has no sign-in to repeat.", Self.advice])
            let words = [
                "login", "--client-id", Self.client, "--scope", "openid email", "--store", "file", "--key-file", "key",
                "--json", "--", issuer,
            ]
            let first = try await inFolder(words, of: stage)
            #expect(first.exitCode == 0, "\(first.errorText)")
            let file = try file(in: stage)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(try await inFolder(["logout", "--no-browser", "--key-file", "key"], of: stage).exitCode == 0)
            let profiles = try await stage.tool("profiles", "--json")
            #expect(!profiles.text.contains("default"), "\(profiles.text)")
            // The file of the key is found from another folder, and the first command's own output isn't repeated.
            for _ in 0..<2 {
                let again = try await stage.tool("login")
                #expect(again.exitCode == 0, "\(again.errorText)")
                #expect(again.text.isEmpty)
                #expect(again.notes.first == "Signing in again at \(issuer).")
            }
            #expect(requests(of: stage).dropFirst() == Array(repeating: "\(Self.client) openid email", count: 3)[...])
            let status = try await inFolder(["status", "--json", "--key-file", "key"], of: stage)
            #expect(status.object["issuer"] as? String == issuer, "\(status.text) \(status.errorText)")
            let other = try await stage.tool("login", "--profile", "other")
            #expect(other.exitCode == 2)
            #expect(other.notes.last == Self.advice)
        }
    }

    @Test func `options that are given count before those of the last sign-in, and are not kept`() async throws {
        try await OpenIDStage.run { stage in
            let words = ["login", stage.provider.issuer, "--client-id", Self.client, "--key-file", "key"]
            #expect(try await inFolder(words + ["--store", "file", "--profile", "a"], of: stage).exitCode == 0)
            let file = try file(in: stage).deletingLastPathComponent().appending(path: "a.login")
            let kept = try Data(contentsOf: file)
            let login = ["login", "--profile", "a"]
            let scope = try await stage.tool.run(login + ["--scope", "openid profile", "--store", "memory", "--json"])
            #expect(scope.exitCode == 0, "\(scope.errorText)")
            #expect(scope.object["issuer"] as? String == stage.provider.issuer)
            #expect(scope.notes.contains { $0.hasSuffix("the session ends with this command.") })
            #expect(requests(of: stage).last == "\(Self.client) openid profile")
            let wrong = try await stage.tool.run(login + ["--password-stdin"])
            #expect(wrong.exitCode == 2)
            #expect(
                wrong.errorText.contains("--password-stdin can't be used with this kind of sign-in."),
                "\(wrong.errorText)"
            )
            // A variable of a script may be empty, and its credential another server's.
            for option in ["--client-id", "--client-secret-file", "--email"] {
                let lost = try await stage.tool.run(login + [option, "a"])
                #expect(lost.exitCode == 2)
                #expect(lost.errorText.contains("\(option) needs the server: give NAME."), "\(lost.errorText)")
            }
            // A step-up is another command, which keeps nothing either.
            let stepUp = try await inFolder(login + ["--step-up", "--key-file", "key"], of: stage)
            #expect(stepUp.exitCode == 0, "\(stepUp.errorText)")
            #expect(!stepUp.errorText.contains("Signing in again at"))
            #expect(try Data(contentsOf: file) == kept)
        }
    }

    @Test func `after a sign-in with --param, or whose file can't be written, nothing is repeated`() async throws {
        try await OpenIDStage.run { stage in
            let words = ["login", stage.provider.issuer, "--client-id", Self.client, "--key-file", "key"]
            let login = words + ["--store", "file"]
            #expect(try await inFolder(login, of: stage).exitCode == 0)
            let file = try file(in: stage)
            #expect(FileManager.default.fileExists(atPath: file.path))
            let sentence = "login can't repeat this sign-in without NAME: "
            let parameter = try await inFolder(login + ["--param", "a=s3cret"], of: stage)
            #expect(parameter.exitCode == 0, "\(parameter.errorText)")
            #expect(parameter.notes.last == sentence + "--param may hold a secret.")
            #expect(!FileManager.default.fileExists(atPath: file.path))
            // A folder at its path is no file of the tool's.
            let inside = file.appending(path: "a")
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
            try Data().write(to: inside)
            let unwritten = try await inFolder(login, of: stage)
            #expect(unwritten.exitCode == 0, "\(unwritten.errorText)")
            #expect(unwritten.notes.last == sentence + "the file \(file.path) can't be written.")
            #expect(FileManager.default.fileExists(atPath: inside.path))
        }
    }

    @Test(arguments: [("--device", "--paste"), ("--paste", "--device"), ("--no-browser", "--device")])
    func `a way to sign in replaces that of the last sign-in`(kept: String, given: String) async throws {
        try await OpenIDStage.run { stage in
            let file = try file(in: stage)
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Nobody answers there.
            let words = ["http://127.0.0.1:9", "--client-id", "a", kept]
            try JSONEncoder().encode(words).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            let login = try await stage.tool("login", given, "--store", "memory")
            #expect(login.exitCode == 6, "\(login.errorText)")
        }
    }

    @Test(arguments: [
        ("{", 0o600, "it is not a JSON array of strings"), ("{}", 0o600, "it is not a JSON array of strings"),
        ("[1]", 0o600, "it is not a JSON array of strings"),
        ("[]", 0o600, "it doesn't hold the arguments of a sign-in"),
        (#"["--help"]"#, 0o600, "it doesn't hold the arguments of a sign-in"),
        (#"["--step-up"]"#, 0o600, "it doesn't hold the arguments of a sign-in"),
        (#"["https://a.example", "--client-id"]"#, 0o600, "it doesn't hold the arguments of a sign-in"),
        (#"["--experimental-dump-help"]"#, 0o600, "it doesn't hold the arguments of a sign-in"),
        (#"["logout"]"#, 0o600, "There is no provider and no account logout."),
        (
            #"["https://jane:s3cret@a.example", "--client-id", "a"]"#, 0o600,
            "A server's address must not contain a user"
        ),
        (#"["http://127.0.0.1:9", "--client-id", "a"]"#, 0o620, "other users may write to it"),
        ("[]" + String(repeating: " ", count: 16_384), 0o600, "it is larger than 16 KiB"),
    ])
    func `a file that is no sign-in's, or that others may write, is exit code 2`(
        text: String,
        mode: Int,
        reason: String
    ) async throws {
        try await OpenIDStage.run { stage in
            let file = try file(in: stage)
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            for options in [[], ["--device"]] {
                let login = try await stage.tool.run(["login"] + options)
                #expect(login.exitCode == 2, "\(login.errorText)")
                #expect(login.text.isEmpty)
                #expect(login.errorText.contains(reason), "\(login.errorText)")
                #expect(!login.errorText.contains("s3cret"), "\(login.errorText)")
            }
        }
    }
}
