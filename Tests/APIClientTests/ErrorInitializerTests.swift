// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import Testing

/// Initializers with which clients and transports of other modules throw the same errors.
@Suite struct ErrorInitializerTests {
    private struct Cause: Error {}

    @Test func `another module can create an APIError`() {
        let error = APIError(
            .rateLimited,
            status: 429,
            serverCode: ServerErrorCode(rawValue: "slow"),
            serverMessage: "Slower, please.",
            retryAfter: .seconds(3),
            underlying: Cause(),
            requiredScope: "profile",
            body: SecretBytes([1])
        )
        #expect(error.code == .rateLimited && error.status == 429 && error.serverCode?.rawValue == "slow")
        #expect(error.serverMessage == "Slower, please." && error.retryAfter == .seconds(3))
        #expect(error.underlying is Cause && error.requiredScope == "profile" && error.body == SecretBytes([1]))
    }

    @Test func `another module can create a TransportError`() {
        let error = TransportError(.timedOut, mayHaveReachedServer: true, underlying: Cause())
        #expect(error.code == .timedOut && error.mayHaveReachedServer && error.underlying is Cause)
    }

    @Test func `another module can create a BaseURLError`() {
        #expect(BaseURLError(.insecure).code == .insecure)
    }
}
