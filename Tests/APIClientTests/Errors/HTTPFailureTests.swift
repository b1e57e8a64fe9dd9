import APIClient
import AuthTesting
import HTTPTypes
import Testing

@Suite struct HTTPFailureTests {
    /// Returns whether a status is temporary: RFC 9110, 15.5.9; RFC 8470, 5.2; RFC 6585, 4; and all errors of the
    /// server.
    private static func passes(_ status: Int) -> Bool { [408, 425, 429].contains(status) || status / 100 == 5 }

    @Test(arguments: 400...599) func `a status passes or does not, in one table`(status: Int) {
        #expect(HTTPFailure.isRetryable(status: status) == Self.passes(status))
    }

    @Test(arguments: 400...599) func `an error of a call says of its status what the table does`(
        status: Int
    ) async throws {
        let fixture = try CallFixture(configure: { $0.retries = .never }) { _ in CallFixture.refusal(status) }
        #expect(await fixture.failure()?.isRetryable == Self.passes(status))
    }

    @Test(arguments: 400...599) func `a call is sent again after the six statuses that pass by themselves`(
        status: Int
    ) async throws {
        let fixture = try CallFixture { _ in CallFixture.refusal(status) }
        let attempts = await fixture.failure()?.attempts
        #expect(attempts?.contains { $0.kind == .retry } == [408, 425, 429, 502, 503, 504].contains(status))
    }
}
