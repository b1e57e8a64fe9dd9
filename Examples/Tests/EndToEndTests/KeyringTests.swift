// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    @Suite("The keyring")
    struct KeyringTests {
        @Test func `secret-tool lists the session after the sign-in and nothing after the sign-out`() async throws {
            try await Stage.run { stage in
                #expect(try await stage.stored().isEmpty)
                try await stage.signedIn()
                let stored = try await stage.stored()
                for attribute in ["service = sallyport", "account = default", "key = session"] {
                    #expect(stored.contains("attribute.\(attribute)\n"))
                }
                #expect(try await stage.tool("logout").exitCode == 0)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test func `a locked keyring does not end the session`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                try await stage.keyring.lock()
                for arguments in [["status"], ["token"], ["api", "GET", "/api/jobs"], ["refresh"]] {
                    let output = try await stage.tool.run(arguments)
                    #expect(output.exitCode == 5, "\(arguments)")
                    #expect(output.text.isEmpty)
                    #expect(output.notes.first == "The keyring is locked.")
                    #expect(output.notes.count == 2)
                }
                try await stage.keyring.unlock()
                #expect(try await stage.tool("status").exitCode == 0)
            }
        }

        @Test func `a command ends within the deadline if the bus does not respond`() async throws {
            try await Stage.run { stage in
                let (tool, mute) = try stage.onMuteBus()
                let time = try await ContinuousClock().measure {
                    let status = try await tool("status")
                    #expect(status.exitCode == 5)
                    #expect(status.notes.first == "The store did not respond in time.")
                }
                #expect(time < .seconds(15))
                #expect(try mute.isWanted)
            }
        }

        @Test func `a locked keyring is reported before the password is sent`() async throws {
            try await Stage.run { stage in
                try await stage.keyring.lock()
                let login = try await stage.login()
                #expect(login.exitCode == 5)
                #expect(login.notes.first == "The keyring is locked.")
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/login") == 0)
            }
        }

        @Test func `a session survives a restart of the keyring`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                try await stage.keyring.kill()
                #expect(try await stage.tool("status").exitCode == 5)
                try await stage.keyring.start(.unlocked)
                #expect(try await stage.tool("status").exitCode == 0)
            }
        }

        @Test func `a command ends with exit code 5 without a default keyring`() async throws {
            try await Stage.run(.withoutCollection) { stage in
                let login = try await stage.login()
                #expect(login.exitCode == 5)
                #expect(login.notes.first == "The keyring service has no default keyring.")
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/login") == 0)
            }
        }

        @Test func `a command ends with exit code 5 without a session bus`() async throws {
            try await Stage.run { stage in
                var tool = stage.tool
                tool.environment["DBUS_SESSION_BUS_ADDRESS"] = nil
                let status = try await tool("status")
                #expect(status.exitCode == 5)
                #expect(status.text.isEmpty)
                #expect(status.notes.first == "There is no session bus for a keyring.")
                #expect(status.notes.count == 2)
            }
        }

        @Test func `a command ends with exit code 5 without a keyring service`() async throws {
            try await Stage.run { stage in
                try await PrivateKeyring.busWithoutProvider { bus in
                    var tool = stage.tool
                    tool.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
                    let status = try await tool("status")
                    #expect(status.exitCode == 5)
                    #expect(status.notes.first == "No keyring service runs on this session bus.")
                }
            }
        }

        /// An unreadable record, and the tool's message for it.
        struct Unreadable: Sendable, CustomTestStringConvertible {
            let record: String
            let sentence: String

            var testDescription: String { record }

            static let all = [
                Unreadable(record: "no record", sentence: "The stored session is damaged and can't be read."),
                Unreadable(record: #"{"version": 1}"#, sentence: "The stored session is damaged and can't be read."),
                Unreadable(
                    record: #"{"version": 99}"#,
                    sentence: "The stored session was written by a newer version and can't be read by this one."
                ),
            ]
        }

        @Test(arguments: Unreadable.all)
        func `an unreadable record stays in the keyring`(unreadable: Unreadable) async throws {
            try await Stage.run { stage in
                try await stage.store(unreadable.record)
                for arguments in [["status"], ["token"], ["api", "GET", "/api/jobs"], ["refresh"]] {
                    let output = try await stage.tool.run(arguments)
                    #expect(output.exitCode == 1, "\(arguments)")
                    #expect(output.text.isEmpty)
                    #expect(output.notes.first == unreadable.sentence)
                    #expect(output.notes.count == 2)
                }
                #expect(try await stage.secret(key: "session") == unreadable.record)
            }
        }

        @Test(arguments: Unreadable.all)
        func `a sign-in replaces an unreadable record`(unreadable: Unreadable) async throws {
            try await Stage.run { stage in
                try await stage.store(unreadable.record)
                #expect(try await stage.login().exitCode == 0)
                #expect(try await stage.secret(key: "session") != unreadable.record)
                #expect(try await stage.tool("status").exitCode == 0)
                #expect(try await stage.tool("logout").exitCode == 0)
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test(arguments: Unreadable.all)
        func `a sign-out removes an unreadable record`(unreadable: Unreadable) async throws {
            try await Stage.run { stage in
                try await stage.store(unreadable.record)
                let logout = try await stage.tool("logout")
                #expect(logout.exitCode == 0)
                #expect(logout.notes == ["\(unreadable.sentence) It was removed."])
                #expect(try await stage.stored().isEmpty)
            }
        }

        /// They may be a newer version's whole sign-in.
        @Test(arguments: Unreadable.all)
        func `credentials that can't be read stay until a sign-out`(unreadable: Unreadable) async throws {
            try await Stage.run { stage in
                try await stage.store(unreadable.record, key: "client")
                let login = try await stage.login()
                #expect(login.exitCode == 1)
                #expect(login.notes.first == unreadable.sentence)
                #expect(try await stage.login("--no-remember").exitCode == 0)
                let status = try await stage.tool("status")
                #expect(status.exitCode == 1)
                #expect(status.notes.first == unreadable.sentence)
                #expect(try await stage.secret(key: "client") == unreadable.record)
                let logout = try await stage.tool("logout")
                #expect(logout.notes == ["\(unreadable.sentence) It was removed."])
                #expect(try await stage.stored().isEmpty)
            }
        }

        @Test(arguments: Unreadable.all)
        func `a session goes on beside credentials that can't be read, until a sign-out removes both`(
            unreadable: Unreadable
        ) async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                try await stage.store(unreadable.record, key: "client")
                #expect(try await stage.tool("refresh").exitCode == 0)
                #expect(try await stage.tool("profiles", "--json").text.contains("signed-in"))
                #expect(try await stage.secret(key: "client") == unreadable.record)
                #expect(try await stage.tool("logout").exitCode == 0)
                #expect(try await stage.stored().isEmpty)
            }
        }
    }
}
