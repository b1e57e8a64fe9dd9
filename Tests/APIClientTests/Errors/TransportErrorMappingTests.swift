import APIClient
import AuthTesting
import HTTPTypes
import Testing

@Suite struct TransportErrorMappingTests {
    struct Meaning: Sendable, CustomTestStringConvertible {
        let fault: TransportError.Code
        let code: APIError.Code
        let isRetryable: Bool
        let sendings: Int

        var testDescription: String { "\(fault) is \(code)" }
    }

    private static let meanings = [
        Meaning(fault: .connectionRefused, code: .unreachable, isRetryable: true, sendings: 4),
        Meaning(fault: .hostNotFound, code: .unreachable, isRetryable: true, sendings: 4),
        Meaning(fault: .timedOut, code: .unreachable, isRetryable: true, sendings: 4),
        Meaning(fault: .connectionClosed, code: .unreachable, isRetryable: true, sendings: 4),
        Meaning(fault: .insecureConnection, code: .unreachable, isRetryable: false, sendings: 1),
        Meaning(fault: .proxyRefused, code: .unreachable, isRetryable: false, sendings: 1),
        Meaning(fault: .failed, code: .unreachable, isRetryable: true, sendings: 1),
        Meaning(fault: .responseTooLarge, code: .malformedResponse, isRetryable: false, sendings: 1),
        Meaning(fault: .invalidRequest, code: .invalidRequest, isRetryable: false, sendings: 1),
        Meaning(fault: .bodyFailed, code: .bodyFailed, isRetryable: false, sendings: 1),
        Meaning(fault: .bodyAlreadySent, code: .bodyNotRepeatable, isRetryable: false, sendings: 1),
    ]

    @Test(arguments: meanings, [true, false])
    func `a fault below HTTP keeps its meaning`(meaning: Meaning, reached: Bool) async throws {
        let fault = TransportError(meaning.fault, mayHaveReachedServer: reached)
        let fixture = try CallFixture { _ in throw fault }
        let error = try #require(await fixture.failure())
        #expect(error.code == meaning.code)
        #expect(error.underlying as? TransportError == fault)
        #expect(error.description == fault.description)
        #expect(error.isRetryable == meaning.isRetryable)
        #expect(fixture.transport.requests.count == meaning.sendings)
    }

    @Test(arguments: meanings, [true, false])
    func `what a transport says of its sending is said of the call`(meaning: Meaning, reached: Bool) async throws {
        let fixture = try CallFixture(configure: { $0.retries = .never }) { _ in
            throw TransportError(meaning.fault, mayHaveReachedServer: reached)
        }
        #expect(await fixture.failure()?.mayHaveReachedServer == reached)
    }

    @Test(arguments: meanings)
    func `a fault of a download keeps its meaning`(meaning: Meaning) async throws {
        let fault = TransportError(meaning.fault, mayHaveReachedServer: true)
        let fixture = try CallFixture(configure: { $0.retries = .never }) { _ in throw fault }
        let error = await #expect(throws: APIError.self) {
            try await fixture.client.download(.download("/file")) { _, _ in }
        }
        #expect(error?.code == meaning.code)
        #expect(error?.underlying as? TransportError == fault)
    }

    @Test func `one sending of several that may have arrived is enough`() async throws {
        let refused = TransportError(.connectionRefused, mayHaveReachedServer: false)
        let closed = TransportError(.connectionClosed, mayHaveReachedServer: true)
        for (first, reached) in [(refused, false), (closed, true)] {
            let answers = Answers([.failure(first), .failure(refused), .failure(refused), .failure(refused)])
            let fixture = try CallFixture { _ in try answers.next() }
            #expect(await fixture.failure()?.mayHaveReachedServer == reached)
        }
    }

    @Test(arguments: [401, 403, 404, 408, 425, 429, 500, 503])
    func `an answer came from somewhere, and says whether to come again`(status: Int) async throws {
        let fixture = try CallFixture(configure: { $0.retries = .never }) { _ in CallFixture.refusal(status) }
        let error = try #require(await fixture.failure())
        #expect(error.mayHaveReachedServer)
        #expect(error.isRetryable == [408, 425, 429, 500, 503].contains(status))
    }

    @Test func `what is refused before it is sent reached nobody`() async throws {
        let fixture = try CallFixture { _ in CallFixture.ada }
        let error = try #require(await fixture.failure(of: Endpoint<CallFixture.Person>.get("//elsewhere")))
        #expect(error.code == .invalidEndpoint)
        #expect(!error.mayHaveReachedServer)
        #expect(!error.isRetryable)
        #expect(fixture.transport.requests.isEmpty)
    }
}
