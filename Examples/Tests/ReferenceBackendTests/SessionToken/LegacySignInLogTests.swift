// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Logging
import ReferenceBackend
import Testing

@Suite("The log of a sign-in without proof")
struct LegacySignInLogTests {
    @Test func `each sign-in is logged as a warning without the identifier`() async throws {
        let lines = Collected<LogLine>()
        try await TestBackend.run(configure: {
            $0.insecurelyAcceptsUserIdentifier = true
            $0.logger = Logger(label: "test") { _ in CollectingLogHandler(lines: lines) }
        }) { server in
            for _ in 0..<2 { _ = try await server.post("/api/auth/apple", ["userIdentifier": "secret-identifier"]) }
        }
        #expect(lines.all.filter { $0.level == .warning && $0.text.contains("userIdentifier") }.count == 2)
        #expect(lines.all.allSatisfy { !$0.text.contains("secret-identifier") })
    }
}
