// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

@Suite struct HTTPFailureTests {
    /// Returns whether a status is temporary: RFC 9110, 15.5.9; RFC 8470, 5.2; RFC 6585, 4; and all errors of the
    /// server.
    private static func isRetryable(_ status: Int) -> Bool { [408, 425, 429].contains(status) || status / 100 == 5 }

    @Test(arguments: 400...599) func `a status is retryable if it is 408, 425, 429 or 5xx`(status: Int) {
        #expect(HTTPFailure.isRetryable(status: status) == Self.isRetryable(status))
    }

    @Test(arguments: 400...599) func `an error of a call is retryable if its status is`(
        status: Int
    ) async throws {
        let fixture = try CallFixture(configure: { $0.retries = 0 }) { _ in CallFixture.refusal(status) }
        #expect(await fixture.failure()?.isRetryable == Self.isRetryable(status))
    }

    @Test(arguments: 400...599) func `a call is retried after 408, 425, 429, 502, 503 and 504`(
        status: Int
    ) async throws {
        let fixture = try CallFixture { _ in CallFixture.refusal(status) }
        _ = await fixture.failure()
        #expect(!fixture.clock.pauses.isEmpty == [408, 425, 429, 502, 503, 504].contains(status))
    }
}
