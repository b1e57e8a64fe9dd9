import APIClient
import AuthSession
import SecureStore
import TestSupport

/// The store and the backend of a worker's session.
struct WorkerContext: Sendable {
    let backend: SessionBackend
    let store: KeyringStore

    init(_ arguments: WorkerArguments) throws {
        let url = try BaseURL(try arguments[4], insecureHTTP: .insecurelyAllowHTTP)
        backend = .firstParty(baseURL: url, contract: .tokenPair)
        store = KeyringStore(
            service: try StoreService(try arguments[2]),
            account: try StoreAccount(try arguments[3]),
            // Dozens of processes share two processors, and a slow keyring is not the subject of these tests.
            deadline: .seconds(30)
        )
    }

    func session(transport: (any Transport)?) -> AuthSession {
        AuthSession(backend: backend, store: store, transport: transport)
    }
}
