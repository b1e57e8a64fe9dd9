public import APIClient
public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a provider is talked to.
///
/// What is not set is right for an app.
public struct ProviderSettings: Sendable {
    /// What carries the requests; nil for the platform's.
    public var transport: (any Transport)?
    /// The longest wait for one answer.
    public var timeout: Duration = .seconds(30)
    /// How far the provider's clock and this device's may differ, beyond what an answer's `Date` has told.
    public var clockSkew: Duration = .seconds(60)
    /// With which algorithms an ID token may be signed.
    ///
    /// Never `none` nor one with a shared secret: these are no values of the type.
    public var signatureAlgorithms: [SignatureAlgorithm] = SignatureAlgorithm.all
    /// How long after a refresh the provider answers the same one again, where it is known to: its grace window.
    ///
    /// Within it, and only then, a refresh is sent again whose answer did not come. Nil unless said otherwise: a provider
    /// that ends a session at the second use of a refresh token would end it.
    public var refreshGraceWindow: Duration?
    /// The wall clock, by which the times in an ID token are judged.
    public var now: @Sendable () -> Date = { Date() }
    /// The monotonic clock, for pauses and for how often keys are fetched.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// What the time limits of requests go by: it stands still while the machine sleeps.
    package var awake: any Clock<Duration> = SuspendingClock()
    /// Told method, path and status at level `debug`, and what a provider does wrong at `warning`; never a secret.
    ///
    /// Silent unless said otherwise.
    public var logger = Logger(label: "sallyport.openid", factory: { _ in SwiftLogNoOpLogHandler() })

    /// Makes settings with their defaults.
    public init() {}
}
