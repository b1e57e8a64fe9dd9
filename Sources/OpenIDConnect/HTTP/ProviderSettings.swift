// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings of the requests to a provider; the default values are right for an app.
public struct ProviderSettings: Sendable {
    /// The transport that carries the requests; nil for the platform's.
    public var transport: (any Transport)?
    /// The timeout of one request.
    public var timeout: Duration = .seconds(30)
    /// The tolerated difference between both clocks, beyond the offset that a `Date` field reveals.
    public var clockSkew: Duration = .seconds(60)
    /// The accepted signature algorithms of ID tokens and userinfo responses.
    public var signatureAlgorithms: [SignatureAlgorithm] = SignatureAlgorithm.all
    /// The time after a refresh in which the provider accepts the same refresh token again.
    ///
    /// A refresh whose response was lost is sent again only within this window. Nil by default, so that it is not sent
    /// again: a provider that takes the reuse of a refresh token for theft would end the session.
    public var refreshGraceWindow: Duration?
    /// The wall clock that the times in an ID token are checked against.
    public var now: @Sendable () -> Date = { Date() }
    /// The monotonic clock for polling intervals and for limiting how often keys are fetched.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The clock for the time limits of requests, which stops while the machine sleeps.
    package var suspendingClock: any Clock<Duration> = SuspendingClock()
    /// The logger of method, path and status at level `debug`, and of errors at `warning`; silent by default.
    public var logger = Logger(label: "sallyport.openid", factory: { _ in SwiftLogNoOpLogHandler() })

    /// Creates settings with default values.
    public init() {}
}
