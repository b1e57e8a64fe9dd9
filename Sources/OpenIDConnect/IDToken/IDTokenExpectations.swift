// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The expected content of an ID token, beyond issuer and audience.
struct IDTokenExpectations: Sendable {
    /// The `nonce` of the authorization request; nil if the browser carried no request.
    var nonce: String?
    /// The access token that `at_hash` must match, if the ID token has one.
    var accessToken: AccessToken?
    /// The requested maximum time since the user authenticated.
    var maximumAge: Duration?
    /// The provider's clock minus this device's.
    var offset = ClockOffset.zero
    /// The user of the session, for a refresh; nil for a sign-in.
    var subject: String?
    /// The claims of the session's previous ID token, for a refresh; nil if there is no such token.
    var previous: UnverifiedClaims?
    /// Whether the tokens may share a grant with those of a session.
    ///
    /// If true, they are not revoked after a rejected ID token, because that could end the session.
    var mayShareGrant = false
}
