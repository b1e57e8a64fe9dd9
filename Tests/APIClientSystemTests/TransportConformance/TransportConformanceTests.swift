// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import APIClient
import HTTPTypes
import Synchronization
import Testing

/// A check that can't fail proves nothing: each of these transports breaks a promise, and a check must fail for it.
@Suite(.timeLimit(.minutes(3)))
struct TransportConformanceTests {
    @Test(arguments: BrokenTransport.Fault.allCases)
    func `a transport that breaks a requirement fails its check`(fault: BrokenTransport.Fault) async throws {
        let check = try #require(TransportConformance.checks.first { $0.name.hasPrefix(fault.rawValue) })
        await #expect(throws: (any Error).self) { try await check.run(BrokenTransport(fault)) }
    }

    @Test func `names of checks are unique`() {
        #expect(Set(TransportConformance.checks.map(\.name)).count == TransportConformance.checks.count)
    }
}

final class BrokenTransport: Transport {
    /// A broken promise, by the beginning of the name of the check that finds it.
    enum Fault: String, CaseIterable {
        case losesTheQuery = "method, path and query"
        case losesAuthorization = "header fields arrive"
        case addsACredential = "no credential is added"
        case stopsAtNUL = "bytes of every value"
        case acceptsAnyTarget = "characters that break"
        case acceptsAnyField = "a field that frames or routes"
        case followsRedirects = "a 302 is a response"
        case followsRedirectsThatKeepTheBody = "a 308 is a response"
        case keepsConnections = "a request that is sent once"
        case asksNoGuard = "a request whose guard"
        case keepsCookies = "no cookie is kept"
        case retriesAfter503 = "nothing is sent again after 408"
        case retriesWhenClosed = "nothing is sent again if the connection ends without"
        case deniesArrival = "a server that does not respond"
        case claimsArrival = "a refused connection"
        case mistakesTimeouts = "a body that does not arrive"
        case ignoresEarlyCancellation = "a cancelled task sends nothing"
        case acceptsAnySize = "a response of the maximum size"
        case readsWholeResponse = "an endless response"
    }

    private let fault: Fault
    private let transport = CurlTransport()
    private let cookie = Mutex<String?>(nil)

    init(_ fault: Fault) {
        self.fault = fault
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let request = changed(request)
        do {
            if fault == .ignoresEarlyCancellation {
                return try await Task.detached { [transport] in try await transport.send(request) }.value
            }
            var answer = try await transport.send(request)
            if fault == .stopsAtNUL { answer.body = Array(answer.body.prefix { $0 != 0 }) }
            if fault == .keepsCookies { cookie.withLock { $0 = answer.head.headerFields[.setCookie] } }
            if fault == .retriesAfter503, answer.head.status == .serviceUnavailable {
                return try await transport.send(request)
            }
            return try await followed(answer, request)
        } catch let error as TransportError {
            return try await reported(error, request)
        }
    }

    private func changed(_ request: TransportRequest) -> TransportRequest {
        var request = request
        switch fault {
        case .losesTheQuery: request.head.path = request.head.path.map { String($0.prefix { $0 != "?" }) }
        case .losesAuthorization: request.head.headerFields[.authorization] = nil
        case .addsACredential: request.head.headerFields[.authorization] = "Basic YTpi"
        case .acceptsAnyTarget: request.head.path = request.head.path.map { "/" + $0.filter(\.isLetter) }
        case .acceptsAnyField: request.head.headerFields = [:]
        case .keepsConnections: request.sendsOnce = false
        case .asksNoGuard: request.sendGuard = nil
        case .keepsCookies: request.head.headerFields[.cookie] = cookie.withLock { $0 }
        case .acceptsAnySize: request.maximumResponseSize = .max
        case .readsWholeResponse:
            request.maximumResponseSize = .max
            request.timeout = .seconds(1)
        default: break
        }
        return request
    }

    private func followed(_ answer: TransportResponse, _ request: TransportRequest) async throws -> TransportResponse {
        let status = fault == .followsRedirects ? 302 : fault == .followsRedirectsThatKeepTheBody ? 308 : nil
        guard answer.head.status.code == status, answer.head.headerFields[.location] == "/there" else { return answer }
        var request = request
        request.head.path = "/there"
        return try await transport.send(request)
    }

    private func reported(_ error: TransportError, _ request: TransportRequest) async throws -> TransportResponse {
        switch fault {
        case .retriesWhenClosed where error.code == .connectionClosed: return try await transport.send(request)
        case .deniesArrival: throw TransportError(error.code, mayHaveReachedServer: false)
        case .claimsArrival: throw TransportError(error.code, mayHaveReachedServer: true)
        case .mistakesTimeouts where error.code == .timedOut: throw TransportError(.failed, mayHaveReachedServer: true)
        default: throw error
        }
    }
}
#endif
