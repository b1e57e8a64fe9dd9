// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    @Suite("The list of profiles")
    struct ProfilesTests {
        private struct Entry: Decodable, Equatable {
            let name: String
            let user: String?
            let server: String?
            let store: String?
            let state: String
        }

        private func entries(_ tool: Tool) async throws -> [Entry] {
            let output = try await tool("profiles", "--json")
            #expect(output.exitCode == 0, "\(output.errorText)")
            let json = try JSONSerialization.jsonObject(with: output.standardOutput)
            let objects = try #require(json as? [[String: Any]])
            // Also a member that is unknown is there.
            #expect(objects.allSatisfy { Set($0.keys) == ["name", "user", "server", "store", "state"] })
            return try JSONDecoder().decode([Entry].self, from: output.standardOutput)
        }

        private func states(_ tool: Tool) async throws -> [String: String] {
            Dictionary(uniqueKeysWithValues: try await entries(tool).map { ($0.name, $0.state) })
        }

        @Test func `no profile is listed before the sign-in, nor after the sign-out`() async throws {
            try await Stage.run { stage in
                #expect(try await entries(stage.tool).isEmpty)
                let empty = try await stage.tool("profiles")
                #expect(empty.exitCode == 0)
                #expect(empty.text.isEmpty)
                #expect(try await stage.login("--profile", "wrong", password: "wrong").exitCode != 0)
                #expect(try await entries(stage.tool).isEmpty)
                try await stage.signedIn()
                #expect(try await states(stage.tool) == ["default": "signed-in"])
                #expect(try await stage.tool("logout").exitCode == 0)
                #expect(try await entries(stage.tool).isEmpty)
            }
        }

        @Test func `the profiles of both stores are listed by name, and no server is asked`() async throws {
            try await Stage.run { stage in
                var stage = stage
                try await stage.signedIn("--profile", "b")
                try await stage.signedIn("--profile", "B.1")
                stage.tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                try await stage.signedIn("--profile", "a", "--store", "file")
                await stage.backend.stop()
                let found = try await entries(stage.tool)
                #expect(found.map(\.name) == ["B.1", "a", "b"])
                #expect(found.map(\.store) == ["keyring", "file", "keyring"])
                #expect(found.allSatisfy { $0.user == "Ada" && $0.server == stage.url && $0.state == "signed-in" })
                let table = try await stage.tool("profiles")
                let lines = table.text.split(separator: "\n")
                #expect(lines.count == 4)
                #expect(lines[2].split(separator: " ") == ["a", "Ada", "\(stage.url)", "file", "signed-in"])
            }
        }

        @Test func `a store that can't be read now has the state locked, and asks for nothing`() async throws {
            try await Stage.run { stage in
                var withPassphrase = stage
                withPassphrase.tool.environment["SALLYPORT_PASSPHRASE"] = "a passphrase for tests"
                try await withPassphrase.signedIn("--profile", "file", "--store", "file")
                try await stage.signedIn("--profile", "keyring")
                #expect(try await states(stage.tool) == ["file": "locked", "keyring": "signed-in"])
                let terminal = try await stage.tool.onTerminal("profiles")
                #expect(terminal.exitCode == 0)
                #expect(terminal.text.contains("locked"))
                try await stage.keyring.lock()
                let locked = try await entries(withPassphrase.tool)
                #expect(locked.map(\.state) == ["signed-in", "locked"])
                let unknown = Entry(name: "keyring", user: nil, server: nil, store: "keyring", state: "locked")
                #expect(locked.last == unknown)
                withPassphrase.tool.environment["SALLYPORT_PASSPHRASE"] = "another"
                #expect(try await states(withPassphrase.tool)["file"] == "locked")
            }
        }

        @Test func `many profiles cost one wait if the keyring does not respond`() async throws {
            try await Stage.run { stage in
                for profile in ["a", "b", "c"] { try await stage.signedIn("--profile", profile) }
                let (tool, mute) = try stage.onMuteBus()
                defer { withExtendedLifetime(mute) {} }
                let start = ContinuousClock.now
                #expect(try await states(tool) == ["a": "locked", "b": "locked", "c": "locked"])
                let time = ContinuousClock.now - start
                #expect(time < .seconds(15))
            }
        }

        @Test func `a session that the server ended stays listed until the sign-out`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                stage.clock.advance(by: .seconds(400 * 86_400))
                #expect(try await states(stage.tool) == ["default": "signed-in"])
                #expect(try await stage.tool("refresh").exitCode == 4)
                #expect(try await states(stage.tool) == ["default": "ended"])
            }
        }

        @Test func `a damaged record has the state damaged, and the others are listed`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn("--profile", "good")
                for (profile, record) in [("bad", "no record"), ("new", #"{"version": 99}"#)] {
                    try await stage.signedIn("--profile", profile)
                    try await stage.store(record, profile: profile)
                }
                #expect(try await states(stage.tool) == ["bad": "damaged", "good": "signed-in", "new": "damaged"])
            }
        }

        // MARK: The profile's name in the environment

        @Test func `SALLYPORT_PROFILE names the profile unless an option or nothing does`() async throws {
            try await Stage.run { stage in
                var tool = stage.tool
                tool.environment["SALLYPORT_PROFILE"] = "work"
                let arguments = ["login", "--backend", stage.url, "--email", Stage.email, "--password-stdin"]
                let login = try await tool.run(arguments, input: Stage.password + "\n")
                try #require(login.exitCode == 0, "\(login.errorText)")
                #expect(try await tool("status", "--json").object["profile"] as? String == "work")
                #expect(try await stage.tool("status").exitCode == 3)
                #expect(try await stage.tool("status", "--profile", "work").exitCode == 0)
                #expect(try await tool("status", "--profile", "default").exitCode == 3)
                #expect(try await states(tool) == ["work": "signed-in"])
                tool.environment["SALLYPORT_PROFILE"] = ""
                #expect(try await tool("status").exitCode == 3)
                tool.environment["SALLYPORT_PROFILE"] = "no/name"
                #expect(try await tool("status").exitCode == 2)
            }
        }
    }
}
