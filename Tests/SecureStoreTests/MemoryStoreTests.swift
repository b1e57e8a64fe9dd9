// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import SecureStore
import Testing

@Suite struct MemoryStoreTests {
    @Test(arguments: SecureStoreConformance.checks + SecureStoreConformance.wholeStoreChecks)
    func `a memory store passes every conformance check`(check: SecureStoreCheck) async throws {
        try await check.run(MemoryStore())
    }
}
