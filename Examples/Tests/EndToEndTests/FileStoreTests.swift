// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
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

        @Test func `a sign-out of a session in a file does not access the keyring`() async throws {
            try await Stage.run { stage in
                let (onMuteBus, mute) = try stage.onMuteBus()
                defer { withExtendedLifetime(mute) {} }
                var tool = onMuteBus
                tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                let arguments = ["login", "--backend", stage.url, "--email", Stage.email, "--password-stdin"]
                let login = try await tool.run(arguments + ["--store", "file"], input: Stage.password)
                try #require(login.exitCode == 0, "\(login.errorText)")
                let time = try await ContinuousClock().measure {
                    let logout = try await tool("logout")
                    #expect(logout.exitCode == 0, "\(logout.errorText)")
                    #expect(logout.notes == ["Signed out, here and at the server."])
                }
                #expect(time < .seconds(5), "a keyring that does not answer takes 5 seconds")
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
