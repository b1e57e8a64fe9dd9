// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import TestSupport
import Testing

extension KeyringSuite {
    @Suite("An interrupted tool")
    struct InterruptTests {
        @Test func `Ctrl-C during a refresh does not lose the rotated token`() async throws {
            let held = HeldResponse()
            try await Stage.run(configure: held.configure) { stage in
                try await stage.signedIn()
                held.arm()
                let refresh = try stage.tool.start("refresh")
                await held.isRotated()
                refresh.send(SIGINT)
                _ = try await refresh.read(until: "Cancelled.")
                held.open()
                #expect(await refresh.waitUntilExit(timeout: .seconds(30)) == 130)
                // Long after the grace window: the server would treat the old token as stolen.
                stage.clock.advance(by: .seconds(60))
                #expect(try await stage.tool("refresh").exitCode == 0)
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 200) == 2)
                #expect(stage.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 401) == 0)
            }
        }
    }
}
