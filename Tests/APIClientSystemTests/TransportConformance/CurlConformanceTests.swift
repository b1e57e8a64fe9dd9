// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import Testing

@testable import APIClient

/// Each check has a loop of its own: on the shared one, other tests take the room for kept connections.
@Suite(.timeLimit(.minutes(3)))
struct CurlConformanceTests {
    @Test(arguments: TransportConformance.checks)
    func `CurlTransport passes the conformance checks of transports`(check: TransportCheck) async throws {
        try await check.run(CurlTransport(CurlSettings(), loop: CurlLoop()))
    }
}
#endif
