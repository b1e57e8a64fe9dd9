// SPDX-License-Identifier: Apache-2.0

public import AuthCore
package import HTTPTypes
public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A client that calls an API on behalf of the signed-in user.
///
/// A request that requires authentication carries the access token. After a 401 it is sent once more with another
/// token. A second 401 is ``APIError`` `unauthorized` and does not end the session. Transient errors are retried if
/// that is safe, redirects of GET and HEAD are followed within the server's origin, and one timeout covers the whole
/// call. Nothing goes to another origin.
///
/// Bodies are in memory. For streams, uploads of files and progress, use an HTTP client of your own with a
/// ``RequestAuthorizer``.
public struct APIClient: Sendable, Redacted {
    fileprivate let baseURL: BaseURL
    fileprivate let source: (any AccessTokenSource)?
    fileprivate let apiKey: APIKey?
    fileprivate let transport: any Transport
    fileprivate let timeout: Duration
    fileprivate let retries: Int
    fileprivate let refreshesWithoutBearerChallenge: Bool
    fileprivate let clock: MonotonicClock
    fileprivate let now: @Sendable () -> Date
    fileprivate let random: @Sendable () -> Double
    fileprivate let logger: Logger

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The address that paths go below. Token and API key go to its origin alone.
    ///   - source: Nil for an API without sign-in.
    ///   - apiKey: Sent as `X-API-Key` with every request. Secret.
    ///   - transport: Nil for the platform's default.
    ///   - timeout: The time limit of one call: attempts, pauses between them, waiting for a token or a refresh.
    ///   - retries: The most retries after a transient error, of a request that is idempotent or surely did not reach the
    ///     server. A call without authentication is never sent again: it may be about the session itself.
    ///   - refreshesWithoutBearerChallenge: Whether a 401 whose challenges name neither `Bearer` nor `DPoP` leads to
    ///     another token. A 401 without any challenge always does. Many servers send none, or a wrong one.
    ///   - now: The wall clock, for a `Retry-After` with a date.
    ///   - random: Numbers from zero up to one, for the jitter of pauses.
    ///   - logger: Logs method, path and status at level `debug`, never a query, header or body. Silent by default.
    public init(
        baseURL: BaseURL,
        authenticatedBy source: (any AccessTokenSource)? = nil,
        apiKey: APIKey? = nil,
        transport: (any Transport)? = nil,
        timeout: Duration = .seconds(30),
        retries: Int = 3,
        refreshesWithoutBearerChallenge: Bool = true,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        logger: Logger = Logger(label: "sallyport.api", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        (self.baseURL, self.source, self.apiKey) = (baseURL, source, apiKey)
        (self.transport, self.timeout, self.retries) = (transport ?? DefaultTransport.shared, timeout, retries)
        self.refreshesWithoutBearerChallenge = refreshesWithoutBearerChallenge
        (self.clock, self.now, self.random, self.logger) = (MonotonicClock(clock), now, random, logger)
    }

    /// Calls an endpoint.
    ///
    /// If the task is cancelled, the call ends at once. The server may still carry out a request that was sent.
    ///
    /// - Throws: ``APIError``; the token source's error if there is no token; `CancellationError`.
    public func send<Response>(_ endpoint: Endpoint<Response>) async throws -> Response {
        try await response(to: endpoint).value
    }

    /// Calls an endpoint, and also returns the response's head.
    package func response<Response>(
        to endpoint: Endpoint<Response>
    ) async throws -> (value: Response, head: HTTPResponse) {
        var call = try Call(endpoint, by: self)
        while true {
            try await call.authorize()
            guard let response = try await call.exchange() else { continue }
            guard try await call.isFinal(response.head) else { continue }
            guard endpoint.acceptsAnyStatus || response.head.status.kind == .successful else {
                let retryAfter = RetryAfter.duration(in: response.head.headerFields, now: now())
                throw APIError(response, call.verdict, retryAfter: retryAfter)
            }
            return (try endpoint.decode(response), response.head)
        }
    }
}

/// One call, from its first attempt to its final response.
///
/// One deadline covers all of it. The request is sent again:
/// 1. once with another token, after a 401 to the token that was sent;
/// 2. at most twice with a new nonce, if the token is bound to a key and the refusal gave a nonce;
/// 3. to the target of a redirect within the origin, if it is a GET or HEAD;
/// 4. after a pause, if an error may be transient and the request may be repeated.
/// Each reason has its own count, so that no reason uses up another's attempts, and so that the call ends.
private struct Call {
    /// The redirects that are followed: more than any API needs.
    private static let maximumRedirects = 5
    /// The limits of the first pause before a retry, and of any that the server did not ask for.
    private static let (firstPause, longestPause) = (Duration.milliseconds(200), Duration.seconds(10))
    /// The longest `Retry-After` that is honored: an earlier retry would not help.
    private static let longestRetryAfter = Duration.seconds(60)
    private static let acceptsJSON = HTTPField(name: .accept, value: "application/json")

    private let client: APIClient
    private let deadline: Deadline
    private var request: TransportRequest
    /// Nil for a call without authentication, whose challenges say nothing about the session.
    ///
    /// It is sent once and follows no redirect: a sign-in request, for example, is meant for one address.
    private var authorizer: RequestAuthorizer?
    /// The meaning of the last response for the credential that was sent.
    private(set) var verdict = AuthorizationVerdict.final
    private var redirects = 0
    private var retries = 0
    private var sent = SentValues()
    private var mayHaveReachedServer = false

    /// Prepares a call, and starts its deadline; throws ``APIError`` (`invalidRequest`, `originNotAllowed`).
    init<Response>(_ endpoint: Endpoint<Response>, by client: APIClient) throws {
        self.client = client
        deadline = Deadline(in: client.timeout, on: client.clock)
        var fields = endpoint.headers
        if let type = endpoint.body?.contentType, !fields.contains(.contentType) { fields[.contentType] = type }
        if !fields.contains(.accept) { fields.append(Self.acceptsJSON) }
        if let apiKey = client.apiKey { fields[.apiKey] = apiKey.unredacted }
        request = TransportRequest(
            head: HTTPRequest(
                method: endpoint.method,
                scheme: client.baseURL.scheme,
                authority: client.baseURL.authority,
                path: try endpoint.target(below: client.baseURL),
                headerFields: fields
            ),
            body: endpoint.body?.bytes,
            sendsOnce: endpoint.sendsOnce,
            sendGuard: endpoint.sendGuard
        )
        guard endpoint.requiresAuthentication else { return }
        authorizer = RequestAuthorizer(
            // A request with its own `Authorization` field keeps it.
            source: fields.contains(.authorization) ? nil : client.source,
            for: [client.baseURL],
            refreshesWithoutBearerChallenge: client.refreshesWithoutBearerChallenge
        )
    }

    /// Adds the credentials of the next attempt to the request, with a proof of its own.
    mutating func authorize() async throws {
        do {
            if authorizer?.takeFreshCredential() ?? true {
                try await authorizer?.authorize(&request.head)
            } else if let waiting = authorizer {
                let head = request.head
                (authorizer, request.head) = try await deadline.limit(throwing: APIError(.timedOut)) {
                    var (authorizer, head) = (waiting, head)
                    try await authorizer.authorize(&head)
                    return (authorizer, head)
                }
            }
            request.timeout = deadline.remaining
            guard request.timeout > .zero else { throw APIError(.timedOut) }
        } catch let error as APIError {
            throw error.after(mayHaveReachedServer)
        }
        try Task.checkCancellation()
    }

    /// Sends the request; returns nil if there was no response and the request must be sent again.
    mutating func exchange() async throws -> TransportResponse? {
        sent.add(request)
        do {
            var response = try await client.transport.send(request)
            client.logger.debug("\(loggedName): \(response.head.status.code)")
            mayHaveReachedServer = true
            response.sent = sent
            return response
        } catch let fault as TransportError {
            client.logger.debug("\(loggedName): no response (\(fault.code))")
            mayHaveReachedServer = mayHaveReachedServer || fault.mayHaveReachedServer
            // An untrusted certificate or a response that is too large would be there again.
            guard [.connectionRefused, .hostNotFound, .timedOut, .connectionClosed].contains(fault.code),
                !fault.mayHaveReachedServer || request.isIdempotent, try await pause()
            else { throw APIError(fault).after(mayHaveReachedServer) }
            return nil
        }
    }

    /// Decides what a response, which is untrusted, means, and prepares the next attempt if there is one.
    mutating func isFinal(_ head: HTTPResponse) async throws -> Bool {
        // Each response is judged, because it may bring the nonce of the next proof.
        verdict = authorizer?.verdict(on: head) ?? .final
        if verdict.sendsAgain, !request.sendsOnce { return false }
        if redirects < Self.maximumRedirects, let target = redirectTarget(of: head) {
            redirects += 1
            request.head.path = target
            return false
        }
        guard HTTPFailure.isRetriedWithinCall(status: head.status.code), request.isIdempotent else { return true }
        return try await !pause(atLeast: RetryAfter.duration(in: head.headerFields, now: client.now()) ?? .zero)
    }

    /// Returns the path and query of a redirect that stays within the origin; nil for any other.
    private func redirectTarget(of head: HTTPResponse) -> String? {
        guard [301, 302, 303, 307, 308].contains(head.status.code), authorizer != nil,
            [.get, .head].contains(request.head.method),
            // Clients differ in which of two locations they follow.
            case let locations = head.headerFields[values: .location], locations.count == 1,
            let here = URIReference("\(client.baseURL.origin)\(request.head.path ?? "/")"),
            let next = URIReference(locations[0])?.resolved(against: here), !FormEncoding.hasDotSegment(next.path),
            let address = try? AbsoluteURL(next, insecureHTTP: .insecurelyAllowHTTP),
            address.origin == client.baseURL.origin
        else { return nil }
        return address.target
    }

    /// Waits before a retry; returns false if the client, the server or the deadline does not allow one.
    ///
    /// Exponential backoff with full jitter, so that clients that failed together do not retry together.
    private mutating func pause(atLeast asked: Duration = .zero) async throws -> Bool {
        let limit = min(Self.firstPause * (1 << min(retries, 6)), Self.longestPause)
        let pause = max(limit * client.random(), asked)
        guard authorizer != nil, retries < client.retries, asked <= Self.longestRetryAfter, pause < deadline.remaining
        else { return false }
        retries += 1
        try await client.clock.sleep(until: client.clock.now + pause)
        return true
    }

    /// The method and path, for the log.
    private var loggedName: String {
        "\(request.head.method.rawValue) \((request.head.path ?? "").prefix { $0 != "?" })"
    }
}

extension HTTPField.Name {
    /// The field of an API key; the fallback is never used, because the name is valid.
    static let apiKey = HTTPField.Name("X-API-Key") ?? .authorization
}
