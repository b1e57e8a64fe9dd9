// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct RetryAfterTests {
    /// The date `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    private static func fixture(_ fields: HTTPFields, timeout: Duration = .seconds(300)) throws -> CallFixture {
        // Without a token there is no wait for one, so that only the pauses of retries pass.
        try CallFixture(
            isSignedIn: false,
            clock: ManualClock(passingAtOnce: .seconds(100)),
            configure: {
                $0.now = { now }
                $0.timeout = timeout
                $0.retries = 1
            },
            handler: { _ in .json("{}", status: 429, headers: fields) }
        )
    }

    @Test(
        arguments: [
            ([.retryAfter: "7"], .seconds(7)), ([.retryAfter: "60"], .seconds(60)),
            ([.retryAfter: "0"], .milliseconds(200)), ([.retryAfter: "soon"], .milliseconds(200)),
            ([.retryAfter: "Sun, 06 Nov 1994 08:49:47 GMT"], .seconds(10)),
            ([.retryAfter: "Sunday, 06-Nov-94 08:49:47 GMT"], .seconds(10)),
            ([.retryAfter: "Sun Nov  6 08:49:47 1994"], .seconds(10)),
            ([.retryAfter: "Sun, 06 Nov 1994 08:00:00 GMT"], .milliseconds(200)),
            // Relative to the server's clock, which is a year ahead of this one.
            (
                [.retryAfter: "Mon, 06 Nov 1995 08:49:47 GMT", .date: "Mon, 06 Nov 1995 08:49:37 GMT"], .seconds(10)
            ),
        ] as [(HTTPFields, Duration)]
    )
    func `the pause is at least as long as Retry-After`(fields: HTTPFields, pause: Duration) async throws {
        let fixture = try Self.fixture(fields)
        #expect(await fixture.failure()?.code == .rateLimited)
        #expect(fixture.clock.pauses == [pause])
        #expect(fixture.transport.requests.count == 2)
    }

    @Test(arguments: ["61", "86400", "9223372036854775807", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func `a call is not retried if Retry-After is too long, and the error has it`(
        value: String
    ) async throws {
        let fixture = try Self.fixture([.retryAfter: value], timeout: .seconds(1_000_000))
        let error = await fixture.failure()
        #expect(error?.code == .rateLimited)
        #expect((error?.retryAfter ?? .zero) > .seconds(60))
        #expect((error?.retryAfter ?? .zero) <= .seconds(86_400))
        #expect(fixture.clock.pauses.isEmpty)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `case 27: a pause that would exceed the call's timeout is not started`() async throws {
        let fixture = try Self.fixture([.retryAfter: "31"], timeout: .seconds(31))
        let error = await fixture.failure()
        #expect(error?.code == .rateLimited)
        #expect(error?.retryAfter == .seconds(31))
        #expect(fixture.clock.pauses.isEmpty)
        #expect(fixture.transport.requests.count == 1)
    }
}
