#if AsyncHTTPClient && os(Linux)
import APIClient
import AuthTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct AsyncHTTPClientConformanceTests {
    @Test(arguments: TransportConformance.checks)
    func `AsyncHTTPClient's transport keeps the promises of every transport`(check: TransportCheck) async throws {
        try await check.run(AsyncHTTPClientTransport())
    }
}
#endif
