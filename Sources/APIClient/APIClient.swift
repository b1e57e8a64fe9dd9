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
    let baseURL: BaseURL
    let source: (any AccessTokenSource)?
    let apiKey: APIKey?
    let transport: any Transport
    let timeout: Duration
    let retries: Int
    let refreshesWithoutBearerChallenge: Bool
    let clock: MonotonicClock
    let now: @Sendable () -> Date
    let random: @Sendable () -> Double
    let logger: Logger

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The address that paths go below. Token and API key go to its origin alone.
    ///   - source: The source of access tokens; nil for an API without sign-in.
    ///   - apiKey: The API key, sent as `X-API-Key` with every request; nil if the API has no key. Secret.
    ///   - transport: The transport; nil for the platform's default.
    ///   - timeout: The time limit of one call: attempts, pauses between them, waiting for a token or a refresh.
    ///   - retries: The largest number of retries after a transient error. Only a request that surely did not reach the
    ///     server or is idempotent is sent again. A call without authentication is never sent again: a request about the
    ///     session itself is not repeated behind the session's back.
    ///   - refreshesWithoutBearerChallenge: Whether a 401 whose challenges name neither `Bearer` nor `DPoP` leads to
    ///     another token. A 401 without any challenge always does. True by default: many servers send no challenge, or
    ///     a wrong one.
    ///   - clock: The clock for timeouts and pauses.
    ///   - now: The wall clock, for a `Retry-After` with a date.
    ///   - random: A source of random numbers from zero up to one, for the jitter of pauses.
    ///   - logger: The logger of method, path and status at level `debug`; never of a query, header or body. Silent by
    ///     default.
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
        self.baseURL = baseURL
        self.source = source
        self.apiKey = apiKey
        self.transport = transport ?? DefaultTransport.shared
        self.timeout = timeout
        self.retries = retries
        self.refreshesWithoutBearerChallenge = refreshesWithoutBearerChallenge
        self.clock = MonotonicClock(clock)
        self.now = now
        self.random = random
        self.logger = logger
    }

    /// Calls an endpoint.
    ///
    /// If the task is cancelled, the call ends at once. The server may still carry out a request that was sent.
    ///
    /// - Returns: The endpoint's decoded response.
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

extension HTTPField.Name {
    /// The field of an API key; the fallback is never used, because the name is valid.
    static let apiKey = HTTPField.Name("X-API-Key") ?? .authorization
}
