// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import SecureStore
import Security
import Testing

extension KeychainTests {
    @Suite struct KeychainConformanceTests {
        @Test(arguments: SecureStoreConformance.checks)
        func `a keychain store passes every conformance check`(check: SecureStoreCheck) async throws {
            let fixture = try KeychainFixture()
            try await check.run(fixture.store)
            // The check has used this keychain.
            #expect(!fixture.keychain.calls.isEmpty)
        }

        @Test(arguments: SecureStoreConformance.checks)
        func `a keychain store with an access group passes every conformance check`(
            check: SecureStoreCheck
        ) async throws {
            let fixture = try KeychainFixture(accessGroup: "family")
            try await check.run(fixture.store)
        }

        @Test func `a keychain store reports its protection as keychain`() throws {
            let fixture = try KeychainFixture()
            #expect(fixture.store.protection == .keychain)
        }
    }
}
