// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import HTTPTypes
import Testing

@testable import APIClient

@Suite struct IncomingResponseTests {
    private let request = TransportRequest(
        head: HTTPRequest(method: .get, scheme: "https", authority: "api.example.org", path: "/"),
        timeout: .milliseconds(20)
    )

    @Test(.timeLimit(.minutes(1))) func `the chunks of a stream end with the request's timeout`()
        async throws
    {
        let answer = IncomingResponse()
        answer.heads.push(HTTPResponse(status: .ok))
        await #expect(throws: TransportError(.timedOut, mayHaveReachedServer: true)) {
            try await answer.streamed(for: request, within: .seconds(3_600)) { _, body in
                for try await _ in body {}
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `the head ends with the remaining time`() async throws {
        var request = request
        request.timeout = .seconds(3_600)
        let answer = IncomingResponse()
        await #expect(throws: TransportError(.timedOut, mayHaveReachedServer: true)) {
            try await answer.streamed(for: request, within: .milliseconds(20)) { _, _ in }
        }
    }
}
