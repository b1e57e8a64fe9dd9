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

func request(_ path: String, port: String, timeout: Duration = .seconds(20)) -> TransportRequest {
    var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: path)
    head.headerFields[.authorization] = "Bearer t1"
    return TransportRequest(head: head, timeout: timeout)
}

func fault(_ transport: URLSessionTransport, _ request: TransportRequest) async throws -> TransportError? {
    do {
        _ = try await transport.send(request)
        return nil
    } catch let error as TransportError {
        return error
    }
}

let port = CommandLine.arguments[1]
let transport = URLSessionTransport()

let answer = try await transport.send(request("/said", port: port))
try expect(answer.head.status == .ok && answer.body == Array("Bearer t1".utf8), "an answer arrives whole")

let redirect = try await transport.send(request("/redirect", port: port))
try expect(redirect.head.status == .found, "a redirect is not followed")

let refused = try await fault(transport, request("/", port: "9"))
try expect(refused?.code == .connectionRefused, "a refused connection is told")
try expect(refused?.mayHaveReachedServer == false, "a refused connection reached nobody")

let late = try await fault(transport, request("/stall", port: port, timeout: .milliseconds(300)))
try expect(late?.code == .timedOut, "the timeout is for the whole answer")

let call = Task { try await transport.send(request("/stall", port: port)) }
// Cancelled once the server has received it: it is the second request that stalls.
while try await transport.send(request("/stalled", port: port)).body != Array("2".utf8) {}
let start = ContinuousClock.now
call.cancel()
let result = await call.result
try expect(ContinuousClock.now - start < .seconds(5), "a cancelled call ends at once")
if case .success = result { throw Wrong(what: "a cancelled call has no answer") }

let session = AuthSession(
    backend: .firstParty(baseURL: try BaseURL("http://127.0.0.1:\(port)"), contract: .tokenPair),
    store: MemoryStore()
)
await session.restore()
try expect(session.state == .signedOut(.noSession), "a session lives on what is left")

print("Without traits the package builds without libsecret, and URLSession carries its requests.")
exit(0)
