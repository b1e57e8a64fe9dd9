// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    /// Another process holds the session's lock but does not run.
    @Suite("A stopped tool")
    struct StoppedProcessTests {
        /// A profile of this test alone: the lock belongs to the user and not to the stage, so other tests could wait
        /// for it.
        private let profile = ["--profile", "stopped-\(UInt64.random(in: 0...UInt64.max))"]

        @Test func `a tool stopped during a refresh does not block other commands, which name it`() async throws {
            let held = HeldResponse()
            try await Stage.run(configure: held.configure) { stage in
                try await stage.signedIn(profile[0], profile[1])
                held.arm()
                let command = try stage.tool.start("refresh", profile[0], profile[1], "--http-timeout", "300")
                await held.isRotated()
                // The command waits for its refresh process, which holds the lock.
                let holder = try stage.refreshProcess()
                kill(holder, SIGSTOP)
                // The kernel's table of locks has then more than its first 4 KiB, and newer locks come first.
                let others = try (0..<200).map { number in
                    let file = stage.keyring.home.appending(path: "lock-\(number)")
                    try Data().write(to: file)
                    let handle = try FileHandle(forUpdating: file)
                    let isTaken = flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0
                    try #require(isTaken)
                    return handle
                }
                defer { withExtendedLifetime(others) {} }

                // The token in the keyring is still valid, and status needs no lock.
                for arguments in [["token"], ["status"], ["api", "GET", "/api/jobs"]] {
                    let time = try await ContinuousClock().measure {
                        let output = try await stage.tool.run(arguments + profile)
                        #expect(output.exitCode == 0, "\(arguments): \(output.errorText)")
                    }
                    #expect(time < .seconds(15), "\(arguments)")
                }
                // By the server's clock the token has expired.
                stage.clock.advance(by: .seconds(1_000))
                for arguments in [["refresh"], ["api", "GET", "/api/jobs"], ["token", "--min-ttl", "900"]] {
                    let time = try await ContinuousClock().measure {
                        let output = try await stage.tool.run(arguments + profile + ["--http-timeout", "5"])
                        #expect(output.exitCode == 6, "\(arguments): \(output.errorText)")
                        #expect(output.text.isEmpty)
                        #expect(output.notes.count == 2)
                        let name = "process \(holder) (sallyport)"
                        #expect(output.notes.first?.contains(name) == true, "\(output.errorText)")
                    }
                    #expect(time < .seconds(15), "\(arguments)")
                }

                kill(holder, SIGCONT)
                held.open()
                #expect(await command.waitUntilExit(timeout: .seconds(30)) == 0)
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh") == 1)
                #expect(try await stage.tool.run(["refresh"] + profile).exitCode == 0)
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 401) == 0)
                #expect(try await stage.tool.run(["logout"] + profile).exitCode == 0)
            }
        }

        @Test func `a tool stopped during a change of the session does not block other commands`()
            async throws
        {
            try await Stage.run { stage in
                try await stage.signedIn()
                let lock = try Self.noteLock(of: stage)
                let isTaken = flock(lock.fileDescriptor, LOCK_EX | LOCK_NB) == 0
                try #require(isTaken)
                // Only the sign-out makes a change, and waits as long as its own time allows.
                for (command, exitCode) in [("token", 0), ("status", 0), ("logout", 5)] as [(String, Int32)] {
                    let time = try await ContinuousClock().measure {
                        let output = try await stage.tool(command, "--http-timeout", "5")
                        #expect(output.exitCode == exitCode, "\(command): \(output.errorText)")
                    }
                    #expect(time < .seconds(15), "\(command)")
                }
                // Not by closing the file: a process that is just starting may share it.
                flock(lock.fileDescriptor, LOCK_UN)
                let logout = try await stage.tool("logout")
                #expect(logout.exitCode == 0, "\(logout.errorText)")
                #expect(try await stage.stored().isEmpty)
            }
        }

        /// On a busy machine, eight sign-ins at once are no suspended process.
        @Test func `a command waits for a change by another process as long as its own time allows`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let lock = try Self.noteLock(of: stage)
                let isTaken = flock(lock.fileDescriptor, LOCK_EX | LOCK_NB) == 0
                try #require(isTaken)
                let time = try await ContinuousClock().measure {
                    let login = try await stage.login("--http-timeout", "8")
                    #expect(login.exitCode == 5, "\(login.errorText)")
                    #expect(login.notes.first == "Another process is using the store.", "\(login.errorText)")
                }
                #expect(time >= .seconds(8))
                withExtendedLifetime(lock) {}
            }
        }

        /// Returns the lock of the session's store for changes; the test plays a stopped holder.
        private static func noteLock(of stage: Stage) throws -> FileHandle {
            let folder = stage.keyring.home.appending(path: ".local/state/sallyport/stores")
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            let locks = files.filter { $0.pathExtension == "lock" }
            try #require(locks.count == 1, "\(files)")
            return try FileHandle(forUpdating: locks[0])
        }
    }
}
