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

// The promises of every transport, except those that this platform's client can't keep.
let exclusions = [
    "fields of one name keep their values and order, both ways":
        "the client keeps an answer's fields in a dictionary, so two names that differ in case have no order",
    "a connection that ends within a response is reported as closed": "the client tells it as an unknown fault",
    "a stream that ends early is reported as a closed connection": "the client tells it as an unknown fault",
    "a server without TLS is reported as insecure": "the client tells it as an unknown fault",
    "an endless head is refused": "it is refused, and the client tells it as an unknown fault",
    "a stream that is left closes its connection":
        "a running task is never cancelled, because the client may then crash: it ends by its timeout",
    "a reader that does not read holds back the server":
        "the client takes what comes; a reader that is too far behind gets an error",
]
try expect(Set(exclusions.keys).isSubset(of: TransportConformance.checks.map(\.name)), "each exclusion names a check")
var broken = 0
for check in TransportConformance.checks where exclusions[check.name] == nil {
    do {
        try await check.run(URLSessionTransport())
    } catch {
        broken += 1
        print("URLSessionTransport: \(check): \(error)")
    }
}
try expect(broken == 0, "URLSessionTransport keeps the promises of every transport")

print("Without traits the package builds without libsecret, and URLSession carries its requests.")
exit(0)
