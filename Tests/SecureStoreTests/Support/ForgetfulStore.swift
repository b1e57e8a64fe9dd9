// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore

/// A store that accepts every item and returns a different one.
struct ForgetfulStore: WrappingStore {
    let wrapped: any SecureStore

    init(scope: StoreScope) {
        wrapped = MemoryStore(scope: scope)
    }

    func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await wrapped.item(forKey: key).map { _ in SecretBytes("another") }
    }
}
