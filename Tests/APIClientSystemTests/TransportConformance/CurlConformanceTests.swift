// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import APIClient
import Testing

@Suite(.timeLimit(.minutes(3)))
struct CurlConformanceTests {
    @Test(arguments: TransportConformance.checks)
    func `CurlTransport passes the conformance checks of transports`(check: TransportCheck) async throws {
        try await check.run(CurlTransport())
    }
}
#endif
