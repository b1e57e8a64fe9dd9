import APIClient
import AuthSession
import SecureStore
import TestSupport

/// Where a worker's session is kept, and where it is refreshed.
struct WorkerPlace: Sendable {
    let backend: SessionBackend
    let store: KeyringStore

    init(_ arguments: WorkerArguments) throws {
        let url = try BaseURL(try arguments[4], insecureHTTP: .insecurelyAllowHTTP)
        backend = .firstParty(baseURL: url, contract: .tokenPair)
        store = KeyringStore(
            service: try StoreService(try arguments[2]),
            account: try StoreAccount(try arguments[3]),
            // Dozens of processes on two processors: a keyring that is slow is not what is tested.
            deadline: .seconds(30)
        )
    }

    func session(transport: (any Transport)?) -> AuthSession {
        AuthSession(backend: backend, store: store, transport: transport)
    }
}
