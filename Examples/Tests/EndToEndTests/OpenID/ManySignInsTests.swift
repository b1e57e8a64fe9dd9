// SPDX-License-Identifier: Apache-2.0

import SharedTestSupport
import Testing

@Suite("Concurrent sign-ins")
struct ManySignInsTests {
    /// The release build crashed with signal 11 at exit in half of the runs: `Docs/CompilerFault.md`.
    @Test func `sixteen concurrent sign-ins all end with exit code 0`() async throws {
        try await OpenIDStage.run { stage in
            let exitCodes = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        try await stage.login(as: "public", ["--store", "memory", "--login-timeout", "60"]).exitCode
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(exitCodes == Array(repeating: 0, count: 16))
        }
    }
}
