// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthTesting
import SecureStore
import Testing
import TestSupport

@Suite(.needsKeyring) struct KeyringConformanceTests {
    @Test(arguments: SecureStoreConformance.checks)
    func `a keyring store passes every conformance check`(check: SecureStoreCheck) async throws {
        try await PrivateKeyring.with { try await check.run($0.store()) }
    }

    @Test func `a keyring store reports its protection as keyring`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            #expect(store.protection == .keyring)
        }
    }
}
#endif
