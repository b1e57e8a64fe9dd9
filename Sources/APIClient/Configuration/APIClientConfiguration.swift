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
    /// What is not set is right for an API that answers in seconds at one address.
    public struct Configuration: Sendable {
        /// The time one call has for everything: attempts, pauses between them, waiting for a token or a refresh.
        ///
        /// A download has it until its answer begins.
        public var timeout: Duration = .seconds(30)
        /// What is sent again after a passing fault, for calls that require authentication.
        ///
        /// A call without is sent once, unless its ``EndpointOptions/retries`` say otherwise: what is about the session
        /// itself is never repeated behind its back.
        public var retries: RetryPolicy = .standard
        /// Which redirects are followed, for calls that require authentication.
        ///
        /// A call without follows none, unless its ``EndpointOptions/redirects`` say otherwise: what is sent to sign in
        /// is for one address.
        public var redirects: RedirectPolicy = .sameOrigin()
        /// Servers beside the base address's that token and API key may go to.
        ///
        /// Of each only scheme, host and port count.
        public var furtherOrigins: [BaseURL] = []
        /// Header fields of the app's own that let somebody in.
        ///
        /// They are dropped where a redirect leaves the origin, as `Authorization` is, and refused for addresses outside of
        /// the client's origins.
        public var credentialFields: [HTTPField.Name] = []
        /// Whether a 401 is answered with another token whose challenges name neither `Bearer` nor `DPoP`.
        ///
        /// One without any challenge always is. True unless said otherwise: many servers send none, or a wrong one.
        public var refreshesWithoutBearerChallenge = true
        /// Who sees every call, from the outermost on.
        public var interceptors: [any Interceptor] = []
        /// What measures timeouts and pauses.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// From zero up to one: where in its span a pause lies.
        public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
        /// What shows the time of day, for a `Retry-After` with a date.
        public var now: @Sendable () -> Date = { Date() }
        /// Told method, path and status at level `debug`; never a query, header or body.
        ///
        /// Silent unless said otherwise.
        public var logger = Logger(label: "sallyport.api", factory: { _ in SwiftLogNoOpLogHandler() })

        /// Makes settings with their defaults.
        public init() {}
    }
}
