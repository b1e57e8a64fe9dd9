// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import AuthCore
import Foundation
import HTTPTypes

/// The transport on Apple systems.
///
/// The system's client has these limits: header fields of one name are sent and received as one, joined by commas; and
/// it does not say when a connection is ready, so that ``TransportRequest/sendGuard`` is asked before there is one.
/// Proxies and certificates are the system's settings.
public final class URLSessionTransport: Transport, Redacted {
    private let session = URLSession(configuration: URLSessionTransport.configuration)

    /// Creates a transport with an ephemeral session: no cookies, no cache, no stored credentials.
    public init() {}

    deinit { session.finishTasksAndInvalidate() }

    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        return configuration
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let urlRequest = try Self.urlRequest(request)
        // The system's client sends a request again by itself if a kept connection has ended.
        let session = request.sendsOnce ? URLSession(configuration: Self.configuration) : self.session
        defer { if request.sendsOnce { session.finishTasksAndInvalidate() } }
        try request.checkSendGuard()
        let late = TransportError(.timedOut, mayHaveReachedServer: true)
        let limit = request.maximumResponseSize
        return try await Deadline(in: request.timeout, on: .suspending).limit(throwing: late) {
            do {
                let (bytes, response) = try await session.bytes(for: urlRequest, delegate: RedirectRefusal())
                guard let head = (response as? HTTPURLResponse)?.head else {
                    throw TransportError(.failed, mayHaveReachedServer: true)
                }
                var body: [UInt8] = []
                for try await byte in bytes {
                    guard body.count < limit else {
                        throw TransportError(.responseTooLarge, mayHaveReachedServer: true)
                    }
                    body.append(byte)
                }
                return TransportResponse(head: head, body: body)
            } catch {
                if Task.isCancelled { throw CancellationError() }
                throw Self.transportError(for: error)
            }
        }
    }

    private static func urlRequest(_ request: TransportRequest) throws -> URLRequest {
        guard let url = URL(string: try request.checkedURL()) else {
            throw TransportError(.invalidRequest, mayHaveReachedServer: false)
        }
        // This timeout restarts with every byte. The deadline limits the whole.
        let timeout = min(max(1, request.timeout / .seconds(1) + 1), 86_400)
        var result = URLRequest(url: url, timeoutInterval: timeout)
        result.httpMethod = request.head.method.rawValue
        result.httpShouldHandleCookies = false
        result.httpBody = request.body.map { Data($0) }
        for field in request.head.headerFields {
            result.addValue(field.value, forHTTPHeaderField: field.name.canonicalName)
        }
        return result
    }

    private static func transportError(for error: any Error) -> TransportError {
        if let error = error as? TransportError { return error }
        guard let urlError = error as? URLError else {
            // Apple's other errors hold the URL as well, whatever their domain is.
            let other = error as NSError
            let bare = NSError(domain: other.domain, code: other.code)
            return TransportError(.failed, mayHaveReachedServer: true, underlying: bare)
        }
        let (code, reached, reason) = meaning(of: urlError.code)
        // The code alone: the error also holds the complete URL.
        return TransportError(code, mayHaveReachedServer: reached, reason: reason, underlying: URLError(urlError.code))
    }

    private static func meaning(of code: URLError.Code) -> (TransportError.Code, Bool, TransportError.Reason?) {
        switch code {
        case .cannotConnectToHost, .notConnectedToInternet: (.connectionRefused, false, nil)
        case .cannotFindHost, .dnsLookupFailed: (.hostNotFound, false, nil)
        case .timedOut: (.timedOut, true, nil)
        case .networkConnectionLost: (.connectionClosed, true, nil)
        // With TLS 1.3 a server may refuse the client after the request has been sent.
        case .secureConnectionFailed: (.insecureConnection, true, nil)
        case .serverCertificateHasUnknownRoot: (.insecureConnection, false, .issuerUnknown)
        case .serverCertificateUntrusted: (.insecureConnection, false, nil)
        case .serverCertificateHasBadDate: (.insecureConnection, false, .expired)
        case .serverCertificateNotYetValid: (.insecureConnection, false, .notYetValid)
        case .clientCertificateRejected, .clientCertificateRequired:
            (.insecureConnection, true, .clientCertificate)
        default: (.failed, true, nil)
        }
    }
}

/// The delegate of a request that returns a redirect and does not follow it.
final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension HTTPURLResponse {
    fileprivate var head: HTTPResponse? {
        guard (100...999).contains(statusCode) else { return nil }
        var fields = HTTPFields()
        for (name, value) in allHeaderFields {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else {
                continue
            }
            fields.append(HTTPField(name: name, value: value))
        }
        return HTTPResponse(status: .init(code: statusCode), headerFields: fields)
    }
}
#endif
