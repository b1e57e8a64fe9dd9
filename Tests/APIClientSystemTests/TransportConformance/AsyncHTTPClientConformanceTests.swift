// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && os(Linux)
import APIClient
import Testing

@Suite(.timeLimit(.minutes(3)))
struct AsyncHTTPClientConformanceTests {
    @Test(arguments: TransportConformance.checks)
    func `AsyncHTTPClientTransport passes the conformance checks of transports`(check: TransportCheck) async throws {
        try await check.run(AsyncHTTPClientTransport())
    }
}
#endif
