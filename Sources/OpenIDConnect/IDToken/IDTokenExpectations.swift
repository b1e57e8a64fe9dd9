import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What an ID token must say, beyond who issued it and whom for.
struct IDTokenExpectations: Sendable {
    /// The `nonce` that the request carried; nil where there was no request through a browser.
    var nonce: String?
    /// What `at_hash` must be of, where the token has one.
    var accessToken: AccessToken?
    /// The longest time since the person authenticated that was asked for.
    var maximumAge: Duration?
    /// How far the provider's clock is ahead of this device's.
    var offset = ClockOffset.zero
    /// The user of the session, at a refresh; nil at a sign-in.
    var subject: String?
    /// The claims of the ID token before it, at a refresh; nil if the session has none.
    var previous: UnverifiedClaims?
}
