// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import SecureStore
import Testing

@Suite struct MemoryStoreTests {
    @Test(arguments: SecureStoreConformance.checks)
    func `a memory store passes every conformance check`(check: SecureStoreCheck) async throws {
        try await check.run(MemoryStore())
    }

    @Test func `a probe leaves no item behind`() async throws {
        let store = MemoryStore()
        try await store.probe()
        #expect(try await store.keys().isEmpty)
    }
}
