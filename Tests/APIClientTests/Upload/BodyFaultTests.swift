import APIClient
import AuthTesting
import HTTPTypes
import Testing

/// A body whose source fails with an error that speaks of another request.
@Suite(.timeLimit(.minutes(3)))
struct BodyFaultTests {
    @Test func `a body that breaks off with a transport's error is not sent again`() async throws {
        let server = try ScriptedServer { exchange in
            _ = try exchange.body()
            try exchange.respond()
        }
        let body = RequestBody.restartable {
            AsyncThrowingStream<[UInt8], any Error> { continuation in
                continuation.yield([1, 2, 3])
                // As of a download that the body is made of.
                continuation.finish(throwing: TransportError(.connectionRefused, mayHaveReachedServer: false))
            }
        }
        let client = APIClient(baseURL: try BaseURL("http://\(server.authority)"))
        let error = await #expect(throws: APIError.self) { try await client.send(.raw(.post, "/upload", body: body)) }
        #expect(error?.code == .bodyFailed)
        #expect(error?.mayHaveReachedServer == true)
        #expect(server.requests.count <= 1)
    }
}
