// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    @Suite("An interrupted tool")
    struct InterruptTests {
        /// Runs a test with a refresh that the server has done, and whose response it holds back.
        private static func runHeldRefresh(
            of command: [String] = ["refresh"],
            _ test: (Stage, HeldResponse, RunningProcess) async throws -> Void
        ) async throws {
            let held = HeldResponse()
            try await Stage.run(configure: held.configure) { stage in
                try await stage.signedIn()
                held.arm()
                let refresh = try stage.tool.start(command)
                await held.isRotated()
                try await test(stage, held, refresh)
            }
        }

        @Test func `Ctrl-C during a refresh ends the command at once, and does not lose the rotated token`()
            async throws
        {
            try await Self.runHeldRefresh { stage, held, refresh in
                let process = try stage.refreshProcess()
                let time = try await ContinuousClock().measure {
                    refresh.send(SIGINT)
                    _ = try await refresh.read(until: "Cancelled.")
                    #expect(await refresh.waitUntilExit(timeout: .seconds(30)) == 130)
                }
                #expect(time < .seconds(2), "a refresh in the command itself is waited for, for three seconds")
                held.open()
                try await Stage.waitForEnd(of: process)
                // Long after the grace window: the server would treat the old token as stolen.
                stage.clock.advance(by: .seconds(60))
                #expect(try await stage.tool("refresh").exitCode == 0)
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 200) == 2)
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 401) == 0)
            }
        }

        @Test func `the tool reports a session that ends because its killed refresh process lost the response`()
            async throws
        {
            try await Self.runHeldRefresh { stage, held, refresh in
                kill(try stage.refreshProcess(), SIGKILL)
                #expect(await refresh.waitUntilExit(timeout: .seconds(30)) == 6)
                #expect(refresh.rest().hasPrefix("No usable response to the refresh arrived"))
                held.open()
                // Long after the grace window: the server treats the old token as stolen.
                stage.clock.advance(by: .seconds(60))
                let output = try await stage.tool("refresh")
                #expect(output.exitCode == 4)
                let sentence =
                    "The response to a refresh was lost, and the server no longer accepts the old token "
                    + "(refresh_token_reused)."
                #expect(output.notes.first == sentence)
                #expect(output.notes.count == 2)
                #expect(try await stage.stored().isEmpty)
            }
        }

        /// After its refresh, `token` wants a second one: no token lasts as long as it asks for.
        @Test(arguments: [["refresh"], ["token", "--min-ttl", "900"]])
        func `a command says that its new tokens could not be saved, and never that nothing was changed`(
            _ command: [String]
        ) async throws {
            try await Self.runHeldRefresh(of: command) { stage, held, refresh in
                // It would keep the lock, which all tests share.
                let process = try stage.refreshProcess()
                defer { kill(process, SIGKILL) }
                try await stage.keyring.kill()
                held.open()
                let notes = try await refresh.read(until: "a process in the background still tries to save them.")
                #expect(notes.contains("The new tokens could not be saved."))
                #expect(!notes.contains("Nothing was changed."))
                #expect(await refresh.waitUntilExit(timeout: .seconds(30)) == 5)
                #expect(!refresh.rest().contains("Nothing was changed."))
            }
        }
    }
}
