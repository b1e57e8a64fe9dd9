// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import SecureStore

struct Wrong: Error {
    let what: String
}

func expect(_ holds: Bool, _ what: String) throws {
    if !holds { throw Wrong(what: what) }
}

let url = try BaseURL("https://parcels.example.org")
let server = ParcelServer()
let store = MemoryStore()

let session = AuthSession(backend: SessionBackend(ParcelAuthority(url)), store: store, transport: server)
await session.restore()
do {
    try await session.signIn(name: "ada", pin: Password("0815"))
    throw Wrong(what: "a wrong PIN is refused")
} catch let error as APIError {
    try expect(error.code == .unauthorized, "a wrong PIN is unauthorized, not \(error.code)")
    let text = "\(error) \(error.serverMessage ?? "")"
    try expect(!text.contains("0815"), "no error repeats a PIN")
}
try await session.signIn(name: "ada", pin: Password("2512"))
let signedIn = SessionState.signedIn(SessionUser(id: "ada"), .online)
try expect(session.state == signedIn, "the session is signed in, not \(session.state)")

let kinds = [AuthorityKind.firstParty, .parcels]
guard let restored = try await AuthSession.stored(in: store, of: kinds, transport: server) else {
    throw Wrong(what: "the session is in the store")
}
try expect(restored.backend.authority.id == session.backend.authority.id, "the session is restored at the same server")
do {
    _ = try await AuthSession.stored(in: store, of: [.firstParty], transport: server)
    throw Wrong(what: "a session of another kind is not restored")
} catch let error as SessionRecordError {
    try expect(error.code == .otherBackend, "a session of another kind is not damaged")
}

let api = APIClient(baseURL: url, authenticatedBy: restored, transport: server)
let parcels: [String] = try await api.send(.get("/parcels"))
try expect(parcels == ["A parcel"], "the API is called with the session's token")

let result = await restored.signOut()
try expect(result.revocation == .revoked, "the server was told of the sign-out, not \(result.revocation)")
try expect(
    server.calls == [
        "POST /login", "POST /login", "GET /parcels opaque-1", "POST /renew opaque-1", "GET /parcels opaque-2",
        "POST /logout opaque-2",
    ],
    "the server was called in this order: \(server.calls)"
)
try expect(try await AuthSession.stored(in: store, of: kinds, transport: server) == nil, "the store is empty")

print("A token authority of another package signs in, restores, refreshes and signs out.")
