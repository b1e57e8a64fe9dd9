// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore
public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The means by which a session's ``TokenAuthority`` reaches its server.
public struct AuthorityConnection: Sendable {
    /// The transport; nil for the platform's.
    public let transport: (any Transport)?
    /// The longest wait for one response.
    public let timeout: Duration
    /// The session's clocks.
    public let clock: SessionClock
    /// The session's logger, which is never given a secret.
    public let logger: Logger

    /// Creates a connection.
    public init(
        transport: (any Transport)? = nil,
        timeout: Duration = .seconds(30),
        clock: SessionClock = SessionClock(date: { Date() }, monotonic: ContinuousClock()),
        logger: Logger = Logger(label: "sallyport.session", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        (self.transport, self.timeout, self.clock, self.logger) = (transport, timeout, clock, logger)
    }

    /// Creates a client for calls about the session itself.
    ///
    /// It has no token of its own. Otherwise a session would wait for itself.
    ///
    /// - Parameter apiKey: The app's API key. Secret.
    public func client(baseURL: BaseURL, apiKey: APIKey? = nil) -> APIClient {
        APIClient(
            baseURL: baseURL,
            apiKey: apiKey,
            transport: transport,
            timeout: timeout,
            clock: clock.suspendingClock,
            now: clock.date,
            logger: logger
        )
    }
}
