// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    /// The process that refreshes for a command, at a server whose grace is over before the next command.
    @Suite("A refresh process")
    struct RefreshProcessTests {
        private static let passphrase = "a passphrase for tests"
        private static let kills = ProcessInfo.processInfo.environment["SALLYPORT_LONG"] == "1" ? 60 : 10

        /// Runs a test with a session in a store, and with responses to refreshes that can be held back.
        private static func run(
            in store: String,
            _ test: (Stage, HeldResponse) async throws -> Void
        ) async throws {
            let held = HeldResponse()
            try await Stage.run(configure: held.configure) { stage in
                var stage = stage
                stage.tool.environment["SALLYPORT_PASSPHRASE"] = passphrase
                try await stage.signedIn("--store", store)
                stage.tool.environment["SALLYPORT_API_KEY"] = "key-of-this-app"
                try await test(stage, held)
            }
        }

        /// Lets the response to a refresh go, and returns the next refresh after the grace window: the server would treat
        /// the old token as stolen.
        private static func next(
            after process: Int32,
            _ held: HeldResponse,
            on stage: Stage
        ) async throws -> Command.Output {
            held.open()
            try await Stage.waitForEnd(of: process)
            stage.clock.advance(by: .seconds(60))
            return try await stage.tool("refresh")
        }

        @Test(arguments: ["keyring", "file"])
        func `kill -9 of the command between the rotation and the write never loses the session`(
            _ store: String
        ) async throws {
            try await Self.run(in: store) { stage, held in
                for number in 1...Self.kills {
                    held.arm()
                    let command = try stage.tool.start("refresh")
                    await held.isRotated()
                    let process = try stage.refreshProcess()
                    command.send(SIGKILL)
                    #expect(await command.waitUntilExit(timeout: .seconds(30)) == 137)
                    let next = try await Self.next(after: process, held, on: stage)
                    try #require(next.exitCode == 0, "kill \(number): \(next.errorText)")
                }
                let path = "/api/v1/auth/refresh"
                #expect(stage.backend.statistics.count("POST", path, status: 200) == 2 * Self.kills)
                #expect(stage.backend.statistics.count("POST", path, status: 401) == 0)
            }
        }

        @Test func `new tokens that the store refuses are saved by the process once the store takes them`() async throws
        {
            try await Self.run(in: "file") { stage, held in
                held.arm()
                let command = try stage.tool.start("refresh")
                await held.isRotated()
                let process = try stage.refreshProcess()
                // The store's folder becomes a file, which stops every write.
                let folder = URL(fileURLWithPath: try #require(stage.tool.environment["XDG_DATA_HOME"]))
                let aside = folder.deletingLastPathComponent().appending(path: "aside")
                try FileManager.default.moveItem(at: folder, to: aside)
                try Data().write(to: folder)
                held.open()
                let notes = try await command.read(until: "a process in the background still tries to save them.")
                #expect(notes.contains("The new tokens could not be saved."))
                #expect(await command.waitUntilExit(timeout: .seconds(30)) != 0)
                try FileManager.default.removeItem(at: folder)
                try FileManager.default.moveItem(at: aside, to: folder)
                let next = try await Self.next(after: process, held, on: stage)
                #expect(next.exitCode == 0, "\(next.errorText)")
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 401) == 0)
            }
        }

        @Test func `the process outlives the terminal of its command`() async throws {
            try await Self.run(in: "keyring") { stage, held in
                held.arm()
                let (terminal, keyboard) = try stage.tool.startOnTerminal(["refresh"])
                defer { withExtendedLifetime(keyboard) {} }
                await held.isRotated()
                let process = try stage.refreshProcess()
                // The kernel hangs up.
                terminal.send(SIGKILL)
                #expect(await terminal.waitUntilExit(timeout: .seconds(30)) == 137)
                let next = try await Self.next(after: process, held, on: stage)
                #expect(next.exitCode == 0, "\(next.errorText)")
            }
        }

        @Test func `no secret is in its arguments or environment, and nothing of the command is open in it`()
            async throws
        {
            try await Self.run(in: "file") { stage, held in
                held.arm()
                let command = try stage.tool.start("refresh")
                await held.isRotated()
                let process = try stage.refreshProcess()
                let seen = Stage.text("cmdline", of: process) + Stage.text("environ", of: process)
                #expect(seen.contains("HOME="))
                for secret in [Self.passphrase, "key-of-this-app"] + stage.issued.all.map(\.rawValue) {
                    #expect(!seen.contains(secret))
                }
                // It leads a session of its own, without a terminal (proc_pid_stat(5)).
                let fields = Stage.text("stat", of: process).split(separator: ")").last?.split(separator: " ") ?? []
                try #require(fields.count > 4)
                #expect(fields[3] == "\(process)")
                #expect(fields[4] == "0")
                let own = try Self.descriptors(of: process)
                let others = try Set(Self.descriptors(of: command.identifier).values)
                for number in ["0", "1", "2"] {
                    #expect(own[number]?.hasPrefix("pipe:") == true)
                }
                #expect(own["1"] == own["2"])
                // The command has its end of the report's pipe, and no other pipe or socket in common.
                let common = others.intersection(own.values).filter { $0.contains(":[") && !$0.hasPrefix("anon_inode") }
                #expect(common == [own["1"] ?? ""])
                held.open()
                #expect(await command.waitUntilExit(timeout: .seconds(30)) == 0)
            }
        }

        @Test func `a token that is fresh needs no process`() async throws {
            try await Self.run(in: "keyring") { stage, _ in
                let output = try await stage.tool("api", "GET", "/api/jobs", "--verbose")
                #expect(output.exitCode == 0, "\(output.errorText)")
                #expect(!output.errorText.contains("in another process"))
                let refresh = try await stage.tool("refresh", "--verbose")
                #expect(refresh.errorText.contains("· refreshing, generation 0, in another process"))
                // The process's own notes reach the command.
                #expect(refresh.errorText.contains("· refreshed, generation 1"))
            }
        }

        /// The open files of a process, by descriptor.
        private static func descriptors(of process: Int32) throws -> [String: String] {
            let folder = "/proc/\(process)/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: [:]) { files, name in
                // One that was closed in the meantime is left out.
                files[name] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            }
        }
    }
}
