#if canImport(Darwin) || !AsyncHTTPClient
import HTTPTypes

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// The transport on Apple systems; on Linux only where the `AsyncHTTPClient` trait is off.
///
/// On Linux a running task is never cancelled, because the system's client may then crash or never return: a cancelled
/// caller leaves at once, and its request ends by itself or by its timeout.
public final class URLSessionTransport: Transport {
    private let session: URLSession

    /// Makes a transport with an ephemeral session: no cookies, no cache, no stored credentials.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends one request.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The answer, of any status.
    /// - Throws: ``TransportError``; `CancellationError` at once when the task is cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let exchange = URLSessionExchange(maximumResponseSize: request.maximumResponseSize)
        let urlRequest = try await Self.urlRequest(request)
        // The session's own timeout begins anew with every byte.
        let deadline = Deadline(in: request.timeout, on: ContinuousClock())
        let fault = TransportError(.timedOut, mayHaveReachedServer: true)
        return try await deadline.limit(throwing: fault) { [session] in
            try await exchange.run(urlRequest, in: session)
        }
    }

    /// A body in chunks is gathered in memory first.
    private static func urlRequest(_ request: TransportRequest) async throws -> URLRequest {
        guard let scheme = request.head.scheme, let authority = request.head.authority, let path = request.head.path,
            let url = URL(string: "\(scheme)://\(authority)\(path)")
        else { throw TransportError(.failed, mayHaveReachedServer: false) }
        var result = URLRequest(url: url, timeoutInterval: request.timeout / .seconds(1))
        result.httpMethod = request.head.method.rawValue
        result.httpShouldHandleCookies = false
        for field in request.head.headerFields {
            result.addValue(field.value, forHTTPHeaderField: field.name.canonicalName)
        }
        if !request.body.isNone {
            var body = Data()
            for try await chunk in try await request.body.chunks() { body.append(contentsOf: chunk) }
            result.httpBody = body
        }
        return result
    }
}

/// Refuses every redirect: the 3xx answer itself comes back.
///
/// As the session's delegate, because a task's is not asked on Linux.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
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
#endif
