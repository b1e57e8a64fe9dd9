// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing

/// Clients, browsers and test doubles of other modules throw the same errors.
@Suite struct ErrorInitializerTests {
    private struct Cause: Error {}

    @Test func `another module can create a DiscoveryError`() {
        let error = DiscoveryError(.missingMember, members: ["jwks_uri"], status: 200, underlying: Cause())
        #expect(error.code == .missingMember && error.members == ["jwks_uri"] && error.status == 200)
        #expect(error.underlying is Cause)
    }

    @Test func `another module can create an AuthorizationError`() {
        let error = AuthorizationError(
            .refused,
            oauthCode: .invalidScope,
            oauthDescription: "No.",
            underlying: Cause()
        )
        #expect(error.code == .refused && error.oauthCode == .invalidScope && error.oauthDescription == "No.")
        #expect(error.underlying is Cause)
    }

    @Test func `another module can create a TokenEndpointError`() {
        let error = TokenEndpointError(
            .refused,
            oauthCode: .invalidGrant,
            oauthDescription: "No.",
            status: 400,
            retryAfter: .seconds(3),
            underlying: Cause()
        )
        #expect(error.code == .refused && error.oauthCode == .invalidGrant && error.oauthDescription == "No.")
        #expect(error.status == 400 && error.retryAfter == .seconds(3) && error.underlying is Cause)
    }

    @Test func `another module can create an IDTokenError`() {
        let error = IDTokenError(.missingClaim, claim: "sub", underlying: Cause())
        #expect(error.code == .missingClaim && error.claim == "sub" && error.underlying is Cause)
    }

    @Test func `another module can create a DeviceAuthorizationError`() {
        let cause = TokenEndpointError(.refused, oauthCode: .accessDenied)
        let error = DeviceAuthorizationError(.cancelled, underlying: cause)
        #expect(error.code == .cancelled && error.oauthCode == .accessDenied)
    }

    @Test func `another module can create a RegistrationError`() {
        let error = RegistrationError(.refused, underlying: Cause())
        #expect(error.code == .refused && error.underlying is Cause)
    }

    @Test func `another module can create a RevocationError`() {
        let error = RevocationError(.refused, oauthCode: .unsupportedTokenType, underlying: Cause())
        #expect(error.code == .refused && error.oauthCode == .unsupportedTokenType && error.underlying is Cause)
    }

    @Test func `another module can create a UserInfoError`() {
        let error = UserInfoError(.unauthorized, oauthCode: .invalidGrant, status: 401, underlying: Cause())
        #expect(error.code == .unauthorized && error.oauthCode == .invalidGrant && error.status == 401)
        #expect(error.underlying is Cause)
    }
}
