// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension APIClient {
    /// The settings of a client.
    ///
    /// The defaults suit an API that responds within seconds at one address.
    public struct Configuration: Sendable {
        /// The time limit of one call: attempts, pauses between them, waiting for a token or a refresh.
        ///
        /// It covers a download until its response begins.
        public var timeout: Duration = .seconds(30)
        /// The retries after a transient error, for calls that require authentication.
        ///
        /// A call without authentication is sent once, unless its ``EndpointOptions/retries`` say otherwise: a request
        /// about the session itself is never repeated behind the session's back.
        public var retries: RetryPolicy = .standard
        /// The redirects that are followed, for calls that require authentication.
        ///
        /// A call without authentication follows no redirect, unless its ``EndpointOptions/redirects`` say otherwise: a
        /// sign-in request is meant for one address.
        public var redirects: RedirectPolicy = .sameOrigin()
        /// Other servers, besides the base address's, that the access token and API key may go to.
        ///
        /// Only scheme, host and port count.
        public var additionalOrigins: [BaseURL] = []
        /// The app's own header fields that carry credentials.
        ///
        /// If a redirect leaves the origin, they are dropped as `Authorization` is. A call that carries one to an
        /// address outside the client's origins is refused.
        public var sensitiveHeaderFields: [HTTPField.Name] = []
        /// Whether a 401 whose challenges name neither `Bearer` nor `DPoP` leads to another token.
        ///
        /// A 401 without any challenge always does. True by default: many servers send no challenge, or a wrong one.
        public var refreshesWithoutBearerChallenge = true
        /// The interceptors that see every call, the outermost first.
        public var interceptors: [any Interceptor] = []
        /// The clock for timeouts and pauses.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// A source of random numbers from zero up to one, for the jitter of pauses.
        public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
        /// The wall clock, for a `Retry-After` with a date.
        public var now: @Sendable () -> Date = { Date() }
        /// The logger of method, path and status at level `debug`; never of a query, header or body.
        ///
        /// Silent by default.
        public var logger = Logger(label: "sallyport.api", factory: { _ in SwiftLogNoOpLogHandler() })

        /// Creates the default settings.
        public init() {}
    }
}
