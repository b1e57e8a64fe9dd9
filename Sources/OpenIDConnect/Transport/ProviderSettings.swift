// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings of the requests to a provider.
///
/// The default values are right for an app.
public struct ProviderSettings: Sendable {
    /// The transport that carries the requests; nil for the platform's.
    public var transport: (any Transport)?
    /// Whether the transport presents a client certificate, which ``ClientAuthentication/tls(_:)`` needs.
    ///
    /// The platform's transport presents none.
    /// [RFC 8705, 2](https://www.rfc-editor.org/rfc/rfc8705#section-2).
    public var presentsClientCertificate = false
    /// The timeout of one request.
    public var timeout: Duration = .seconds(30)
    /// The tolerated difference between the provider's clock and this device's, beyond the offset that a `Date` field
    /// reveals.
    public var clockSkew: Duration = .seconds(60)
    /// The accepted signature algorithms of ID tokens and userinfo responses.
    ///
    /// The type has no value for `none` or for an algorithm with a shared secret.
    public var signatureAlgorithms: [SignatureAlgorithm] = SignatureAlgorithm.all
    /// The policy of the client's requests, which a stored session keeps.
    public var policy = ClientPolicy.standard
    /// Whether the client's registration binds its access tokens to the client's TLS certificate
    /// (`tls_client_certificate_bound_access_tokens`), which a stored session keeps.
    ///
    /// Used for a client with ``ClientAuthentication/tls(_:)`` whose provider supports it. A response with a JWT access
    /// token that is not bound is then ``TokenEndpointError`` `invalidResponse`. If false, ``ClientPolicy/fapi2``
    /// requires a DPoP key. [RFC 8705, 3.4](https://www.rfc-editor.org/rfc/rfc8705#section-3.4).
    public var certificateBoundTokens = false
    /// The provider's grace window: the time after a refresh in which it accepts the same refresh token again.
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
    /// The logger of method, path and status at level `debug`, and of a provider's errors at `warning`; never of
    /// secrets.
    ///
    /// Silent by default.
    public var logger = Logger(label: "sallyport.openid", factory: { _ in SwiftLogNoOpLogHandler() })

    /// Creates settings with default values.
    public init() {}
}
