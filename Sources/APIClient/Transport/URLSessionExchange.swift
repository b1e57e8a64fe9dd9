#if canImport(Darwin) || !AsyncHTTPClient
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// One request of a `URLSession` and the one caller that waits for it.
final class URLSessionExchange: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<TransportResponse, any Error>)
        case done
    }

    private let state = Mutex(State.idle)
    private let maximumResponseSize: Int

    init(maximumResponseSize: Int) {
        self.maximumResponseSize = maximumResponseSize
    }

    func run(_ request: URLRequest, in session: URLSession) async throws -> TransportResponse {
        let task = session.dataTask(with: request) { data, response, error in
            self.finish(self.result(data: data, response: response, error: error))
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let starts = state.withLock { state in
                    guard case .idle = state else { return false }
                    state = .waiting(continuation)
                    return true
                }
                if starts { task.resume() } else { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
            #if canImport(Darwin)
            task.cancel()
            #endif
        }
    }

    private func finish(_ result: Result<TransportResponse, any Error>) {
        let waiting = state.withLock { state in
            defer { state = .done }
            return state
        }
        if case .waiting(let continuation) = waiting { continuation.resume(with: result) }
    }

    private func result(data: Data?, response: URLResponse?, error: (any Error)?) -> Result<
        TransportResponse, any Error
    > {
        if let error { return .failure(Self.transportError(for: error)) }
        guard let response = response as? HTTPURLResponse else {
            return .failure(TransportError(.failed, mayHaveReachedServer: true))
        }
        let body = data ?? Data()
        guard body.count <= maximumResponseSize else {
            return .failure(TransportError(.responseTooLarge, mayHaveReachedServer: true))
        }
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else {
                continue
            }
            fields.append(HTTPField(name: name, value: value))
        }
        let head = HTTPResponse(status: .init(code: response.statusCode), headerFields: fields)
        return .success(TransportResponse(head: head, body: Array(body)))
    }

    private static func transportError(for error: any Error) -> TransportError {
        guard let urlError = error as? URLError else {
            return TransportError(.failed, mayHaveReachedServer: true, underlying: error)
        }
        switch urlError.code {
        case .cannotConnectToHost, .notConnectedToInternet:
            return TransportError(.connectionRefused, mayHaveReachedServer: false, underlying: error)
        case .cannotFindHost, .dnsLookupFailed:
            return TransportError(.hostNotFound, mayHaveReachedServer: false, underlying: error)
        case .timedOut:
            return TransportError(.timedOut, mayHaveReachedServer: true, underlying: error)
        case .networkConnectionLost:
            return TransportError(.connectionClosed, mayHaveReachedServer: true, underlying: error)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
            return TransportError(.insecureConnection, mayHaveReachedServer: false, underlying: error)
        default:
            return TransportError(.failed, mayHaveReachedServer: true, underlying: error)
        }
    }
}
#endif
