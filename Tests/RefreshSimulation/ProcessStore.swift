// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore

/// The shared store from one process's side: sometimes slow or failing, and out of reach after the process's death.
struct ProcessStore: WrappingStore {
    let world: World
    let life: Life

    var wrapped: any SecureStore { world.store }

    /// Makes a call, with a wait before and after it in which others may act and the process may die.
    func call<Value>(
        _ key: StoreKey?,
        isChange: Bool,
        _ work: (any SecureStore) async throws -> Value
    ) async throws -> Value {
        await life.pass()
        try await world.delay(.storeBefore)
        await life.pass()
        if let fault = world.storeFault(isChange: isChange) { throw fault }
        let value = try await work(world.reachableStore(of: life))
        try await world.delay(.storeAfter)
        await life.pass()
        return value
    }
}
