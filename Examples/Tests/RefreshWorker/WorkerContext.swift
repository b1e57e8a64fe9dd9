// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthSession
import SecureStore
import SharedTestSupport

/// The store and the backend of a worker's session.
struct WorkerContext: Sendable {
    let backend: SessionBackend
    let store: any SecureStore

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - arguments: The worker's arguments.
    ///   - isUpgrade: Whether the store migrates the items that an older version kept under the same service.
    /// - Throws: `WorkerError`; the errors of invalid names and addresses.
    init(_ arguments: WorkerArguments, isUpgrade: Bool) throws {
        let url = try BaseURL(try arguments[4], insecureHTTP: .insecurelyAllowHTTP)
        backend = .firstParty(baseURL: url, contract: .tokenPair)
        let service = try arguments[2]
        let keyring = KeyringStore(
            scope: try StoreScope(service: service, account: try arguments[3]),
            // Dozens of processes share two processors, and a slow keyring is not the subject of these tests.
            deadline: .seconds(30)
        )
        guard isUpgrade else {
            store = keyring
            return
        }
        let older = { @Sendable (account: String) in
            try LegacyItem.keyring(keyring, attributes: ["service": service, "account": account])
        }
        store = PendingRemovals(try backend.store(keyring, migratingFrom: [older]))
    }

    func session(transport: (any Transport)?) -> AuthSession {
        AuthSession(backend: backend, store: store, transport: transport)
    }
}
