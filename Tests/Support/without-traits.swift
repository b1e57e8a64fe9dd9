// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Sallyport

#if canImport(Glibc)
import Glibc
#endif

struct Wrong: Error {
    let what: String
}

func expect(_ holds: Bool, _ what: String) throws {
    if !holds { throw Wrong(what: what) }
}

/// A transport of the app's own, as an app without the trait `Curl` brings it.
struct OwnTransport: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let field = request.head.headerFields[.accept] ?? ""
        return TransportResponse(head: HTTPResponse(status: .ok), body: Array(field.utf8))
    }
}

let address = try BaseURL("https://api.example.com")
let client = APIClient(baseURL: address, transport: OwnTransport())
let response = try await client.send(.raw(.get, "/jobs"))
try expect(response.body == Array("application/json".utf8), "a transport of the app's own carries the call")

do {
    _ = try await APIClient(baseURL: address).send(.raw(.get, "/jobs"))
    throw Wrong(what: "without a transport nothing is sent")
} catch let error as APIError {
    try expect(error.code == .unreachable && !error.mayHaveReachedServer, "without a transport nothing is sent")
}

let session = AuthSession(
    backend: .firstParty(baseURL: address, contract: .tokenPair),
    store: MemoryStore(),
    transport: OwnTransport()
)
await session.restore()
try expect(session.state == .signedOut(.noSession), "a session lives on what is left")

print("Without traits the package builds without libsecret and libcurl, and an app brings its own transport.")
exit(0)
