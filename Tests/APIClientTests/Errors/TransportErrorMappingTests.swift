// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

@Suite struct TransportErrorMappingTests {
    struct Mapping: Sendable, CustomTestStringConvertible {
        let fault: TransportError.Code
        let code: APIError.Code
        let isRetryable: Bool
        let attempts: Int

        var testDescription: String { "\(fault) maps to \(code)" }
    }

    private static let mappings = [
        Mapping(fault: .connectionRefused, code: .unreachable, isRetryable: true, attempts: 4),
        Mapping(fault: .hostNotFound, code: .unreachable, isRetryable: true, attempts: 4),
        Mapping(fault: .timedOut, code: .unreachable, isRetryable: true, attempts: 4),
        Mapping(fault: .connectionClosed, code: .unreachable, isRetryable: true, attempts: 4),
        Mapping(fault: .insecureConnection, code: .unreachable, isRetryable: false, attempts: 1),
        Mapping(fault: .proxyRefused, code: .unreachable, isRetryable: false, attempts: 1),
        Mapping(fault: .failed, code: .unreachable, isRetryable: true, attempts: 1),
        Mapping(fault: .responseTooLarge, code: .malformedResponse, isRetryable: false, attempts: 1),
        Mapping(fault: .invalidRequest, code: .invalidRequest, isRetryable: false, attempts: 1),
        Mapping(fault: .notSent, code: .unreachable, isRetryable: true, attempts: 1),
    ]

    @Test(arguments: mappings, [true, false])
    func `a transport error maps to an error of the call`(mapping: Mapping, reached: Bool) async throws {
        let fault = TransportError(mapping.fault, mayHaveReachedServer: reached)
        let fixture = try CallFixture { _ in throw fault }
        let error = try #require(await fixture.failure())
        #expect(error.code == mapping.code)
        #expect(error.underlying as? TransportError == fault)
        #expect(error.description == fault.description)
        #expect(error.isRetryable == mapping.isRetryable)
        #expect(fixture.transport.requests.count == mapping.attempts)
    }

    @Test(arguments: mappings, [true, false])
    func `mayHaveReachedServer is taken from the transport error`(mapping: Mapping, reached: Bool) async throws {
        let fixture = try CallFixture(configure: { $0.retries = 0 }) { _ in
            throw TransportError(mapping.fault, mayHaveReachedServer: reached)
        }
        #expect(await fixture.failure()?.mayHaveReachedServer == reached)
    }

    @Test func `mayHaveReachedServer is true if one attempt may have arrived`() async throws {
        let refused = TransportError(.connectionRefused, mayHaveReachedServer: false)
        let closed = TransportError(.connectionClosed, mayHaveReachedServer: true)
        for (first, reached) in [(refused, false), (closed, true)] {
            let responses = ResponseSequence([.failure(first), .failure(refused), .failure(refused), .failure(refused)])
            let fixture = try CallFixture { _ in try responses.next() }
            #expect(await fixture.failure()?.mayHaveReachedServer == reached)
        }
    }

    @Test(arguments: [401, 403, 404, 408, 425, 429, 500, 503])
    func `a response has reached the server, and its status decides isRetryable`(status: Int) async throws {
        let fixture = try CallFixture(configure: { $0.retries = 0 }) { _ in CallFixture.refusal(status) }
        let error = try #require(await fixture.failure())
        #expect(error.mayHaveReachedServer)
        #expect(error.isRetryable == [408, 425, 429, 500, 503].contains(status))
    }

    @Test func `a request that is refused before it is sent has not reached the server`() async throws {
        let fixture = try CallFixture { _ in CallFixture.ada }
        let error = try #require(await fixture.failure(of: Endpoint<CallFixture.Person>.get("//elsewhere")))
        #expect(error.code == .invalidRequest)
        #expect(!error.mayHaveReachedServer)
        #expect(!error.isRetryable)
        #expect(fixture.transport.requests.isEmpty)
    }
}
