// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Crypto
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    /// Each command derives a key from the passphrase, which is slow on purpose, and slower in a debug build.
    @Suite("The encrypted file")
    struct FileStoreTests {
        @Test func `a session in a file stays in the file, and needs the passphrase`() async throws {
            try await Stage.run { stage in
                // There is no keyring at all, as on a server.
                var tool = stage.tool
                tool.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
                tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                let arguments = ["login", "--backend", stage.url, "--email", Stage.email, "--password-stdin"]
                let login = try await tool.run(arguments + ["--store", "file"], input: Stage.password)
                #expect(login.exitCode == 0, "\(login.errorText)")
                // Without the option, the tool uses the file, and not the keyring, the default of a new session.
                let status = try await tool("status")
                #expect(status.exitCode == 0, "\(status.errorText)")
                #expect(status.text.contains("Kept in       encrypted file, profile default"))
                let elsewhere = try await tool("status", "--store", "keyring")
                #expect(elsewhere.exitCode == 2)
                #expect(elsewhere.notes.first == "The session of this profile is kept in the file.")
                tool.environment["SALLYPORT_PASSPHRASE"] = "another"
                let wrong = try await tool("status")
                #expect(wrong.exitCode == 5)
                #expect(wrong.notes.first == "The passphrase does not open the store's file.")
                #expect(try await tool("logout").exitCode == 5)
                tool.environment["SALLYPORT_PASSPHRASE"] = nil
                let none = try await tool("status")
                #expect(none.exitCode == 2)
                for token in stage.issued.all {
                    #expect(stage.keyring.files(containing: Data(token.rawValue.utf8)).isEmpty)
                }
                tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                #expect(try await tool("logout").exitCode == 0)
                // The next session may use another store.
                let fresh = try await stage.tool("status", "--store", "keyring")
                #expect(fresh.exitCode == 3)
            }
        }

        @Test func `a new file's passphrase is asked for twice, and once afterwards`() async throws {
            try await Stage.run { stage in
                let arguments = ["login", "--backend", stage.url, "--email", Stage.email, "--store", "file"]
                func login(_ answers: [(prompt: String, answer: String)]) async throws -> (code: Int32?, rest: String) {
                    let (process, keyboard) = try stage.tool.startOnTerminal(arguments)
                    for (prompt, answer) in answers {
                        _ = try await process.read(until: prompt)
                        try keyboard.write(contentsOf: Data("\(answer)\n".utf8))
                    }
                    return (await process.waitUntilExit(timeout: .seconds(60)), process.rest())
                }
                let (first, again) = ("Passphrase of the encrypted file:", "The same passphrase again:")
                let mistyped = try await login([(first, "a passphrase"), (again, "a pasphrase")])
                #expect(mistyped.code == 2)
                #expect(mistyped.rest.contains("The two passphrases are different."))
                let password = ("Password:", Stage.password)
                let new = try await login([(first, "a passphrase"), (again, "a passphrase"), password])
                #expect(new.code == 0, "\(new.rest)")
                #expect(try await login([(first, "a passphrase"), password]).code == 0)
            }
        }

        @Test func `a session under a key needs this key with every command, and no passphrase`() async throws {
            try await Stage.run { stage in
                let (key, other) = (try Self.keyFile("key", in: stage), try Self.keyFile("other", in: stage))
                let arguments = ["login", "--backend", stage.url, "--email", Stage.email, "--password-stdin"]
                let options = ["--store", "file", "--key-file", key]
                let login = try await stage.tool.run(arguments + options, input: Stage.password)
                #expect(login.exitCode == 0, "\(login.errorText)")
                #expect(try await stage.tool("token", "--key-file", key).exitCode == 0)
                let wrong = try await stage.tool("token", "--key-file", other)
                #expect(wrong.exitCode == 5)
                #expect(wrong.notes.first == "The key does not open the store's file.")
                var tool = stage.tool
                tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                let passphrase = try await tool("token")
                #expect(passphrase.exitCode == 5)
                #expect(
                    passphrase.notes.first
                        == "The passphrase (the file was made under a key) does not open the store's file."
                )
                // As systemd passes it to a service.
                let folder = URL(fileURLWithPath: key).deletingLastPathComponent().path
                try FileManager.default.copyItem(atPath: key, toPath: folder + "/sallyport-key")
                tool.environment["CREDENTIALS_DIRECTORY"] = folder
                #expect(try await tool("logout").exitCode == 0)
            }
        }

        @Test func `a key file that others can read, or with a passphrase in it, is refused with a sentence`()
            async throws
        {
            try await Stage.run { stage in
                let key = try Self.keyFile("key", in: stage)
                try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key)
                let open = try await stage.tool("status", "--store", "file", "--key-file", key)
                #expect(open.exitCode == 5)
                #expect(open.notes.first == "The store refused this program (a key file open to others).")
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
                try Data("correct horse battery staple, and more".utf8).write(to: URL(fileURLWithPath: key))
                let text = try await stage.tool("status", "--store", "file", "--key-file", key)
                #expect(text.exitCode == 2)
                #expect(text.notes.first?.contains("(the key is text)") == true)
            }
        }

        @Test func `the passphrase comes from a command, or from a systemd credential`() async throws {
            try await Stage.run { stage in
                var tool = stage.tool
                tool.environment["SALLYPORT_PASSPHRASE_COMMAND"] = "printf 'a passphrase\\nand more\\n'"
                let arguments = ["login", "--backend", stage.url, "--email", Stage.email, "--password-stdin"]
                let login = try await tool.run(arguments + ["--store", "file"], input: Stage.password)
                #expect(login.exitCode == 0, "\(login.errorText)")
                tool.environment["SALLYPORT_PASSPHRASE_COMMAND"] = "echo 'a passphrase'; exit 1"
                let failed = try await tool("token")
                #expect(failed.exitCode == 5)
                #expect(failed.notes.first == "SALLYPORT_PASSPHRASE_COMMAND gave no passphrase.")
                tool.environment["SALLYPORT_PASSPHRASE_COMMAND"] = nil
                let credential = stage.keyring.home.appending(path: "sallyport-passphrase")
                try Data("a passphrase\n".utf8).write(to: credential)
                tool.environment["CREDENTIALS_DIRECTORY"] = stage.keyring.home.path
                #expect(try await tool("token").exitCode == 0)
                // The variable is stronger.
                tool.environment["SALLYPORT_PASSPHRASE"] = "another"
                #expect(try await tool("token").exitCode == 5)
            }
        }

        @Test(.enabled(if: FileManager.default.isReadableFile(atPath: "/proc/keys")))
        func `the kernel keeps the derived key until a sign-out, and not at all if the user says so`() async throws {
            try await Stage.run { stage in
                var tool = stage.tool
                tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                let arguments = ["login", "--backend", stage.url, "--email", Stage.email, "--password-stdin"]
                let options = ["--store", "file", "--no-key-cache"]
                let login = try await tool.run(arguments + options, input: Stage.password)
                #expect(login.exitCode == 0, "\(login.errorText)")
                #expect(try await tool("token", "--no-key-cache").exitCode == 0)
                let name = try Self.derivedKeyName(in: tool)
                #expect(try !Self.isListed(name))
                #expect(try await tool("token").exitCode == 0)
                guard try Self.isListed(name) else { try Test.cancel("the kernel keeps no keys") }
                tool.environment["SALLYPORT_PASSPHRASE"] = "another"
                #expect(try await tool("token").exitCode == 5)
                tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                #expect(try await tool("logout").exitCode == 0)
                #expect(try !Self.isListed(name))
            }
        }

        private static func keyFile(_ name: String, in stage: Stage) throws -> String {
            let file = stage.keyring.home.appending(path: name)
            let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
            // The last byte makes sure that the bytes are no text.
            try Data(bytes + [0xFF]).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            return file.path
        }

        /// The name of the derived key, by the documented layout.
        private static func derivedKeyName(in tool: Tool) throws -> String {
            let data = URL(fileURLWithPath: try #require(tool.environment["XDG_DATA_HOME"]))
            let files = try FileManager.default.subpathsOfDirectory(atPath: data.path)
            let file = data.appending(path: try #require(files.first { $0.hasSuffix(".sallyport") }))
            let hash = SHA256.hash(data: Data("kept key".utf8) + (try Data(contentsOf: file))[12..<44])
            return "sallyport:" + hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined().prefix(40)
        }

        private static func isListed(_ name: String) throws -> Bool {
            try String(contentsOfFile: "/proc/keys", encoding: .utf8).contains(name)
        }

        @Test func `a sign-out of a session in a file does not access the keyring`() async throws {
            try await Stage.run { stage in
                let (onMuteBus, mute) = try stage.onMuteBus()
                var tool = onMuteBus
                tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                let arguments = ["login", "--backend", stage.url, "--email", Stage.email, "--password-stdin"]
                let login = try await tool.run(arguments + ["--store", "file"], input: Stage.password)
                try #require(login.exitCode == 0, "\(login.errorText)")
                #expect(try !mute.isWanted, "at the sign-in")
                let logout = try await tool("logout")
                #expect(logout.exitCode == 0, "\(logout.errorText)")
                #expect(logout.notes == ["Signed out, here and at the server."])
                #expect(try !mute.isWanted)
            }
        }

        @Test func `a pending removal from a locked keyring is completed even if the next session is in a file`()
            async throws
        {
            try await Stage.run { stage in
                try await stage.signedIn()
                try await stage.keyring.lock()
                #expect(try await stage.tool("logout").exitCode == 5)
                var tool = stage.tool
                tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                let arguments = ["login", "--backend", stage.url, "--email", Stage.email, "--password-stdin"]
                let login = try await tool.run(arguments + ["--store", "file"], input: Stage.password)
                #expect(login.exitCode == 0, "\(login.errorText)")
                try await stage.keyring.unlock()
                #expect(try await !stage.stored().isEmpty)
                // The next change of the session completes the removal.
                #expect(try await tool("refresh").exitCode == 0)
                #expect(try await stage.stored().isEmpty)
                #expect(try await tool("status").exitCode == 0)
            }
        }
    }
}
