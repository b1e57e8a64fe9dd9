// SPDX-License-Identifier: Apache-2.0

extension OpenIDError {
    /// The check that failed.
    public enum Reason: Sendable, Equatable {
        /// The response doesn't have the request's state.
        case stateMismatch
        /// The response or the document names another issuer, or does not name the issuer as promised.
        case issuerMismatch
        /// The redirect doesn't match the request's redirect URI.
        case redirectMismatch
        /// No pending sign-in expects this response, or the sign-in has expired.
        case noPendingAuthorization
        /// The document is about another API than the requested one.
        ///
        /// [RFC 9728, 3.3](https://www.rfc-editor.org/rfc/rfc9728#section-3.3).
        case resourceMismatch
        /// The document lacks members, by their wire names.
        case missingMembers([String])
        /// A member has the wrong type, or is a URL that must not be used.
        case invalidMember(String)
        /// The provider sent a redirect, which is not followed: a code or a token is sent to one URL only.
        case redirected
        /// A token that the provider signed was refused.
        case idToken(IDTokenError)
        /// The claims lack a valid `sub`.
        case missingSubject
        /// The claims are about another user.
        case subjectMismatch

        /// The provider rejected the access token.
        case unauthorized
        /// The access token is for another API; a new one would be rejected too.
        case otherAudience

        /// Only an API's metadata names the server, whose responses don't contain `iss`, and the redirect URI is not
        /// its own.
        ///
        /// ``ProviderMetadata/withDistinctRedirect()`` helps.
        case distinctRedirectRequired
        /// The access token is bound to a key that the caller did not supply.
        case missingDPoPKey

        /// The text is not an unencrypted private key in PEM, for P-256 or RSA.
        case unreadableKey
        /// The RSA key has fewer than 2048 bits.
        case keyTooShort
        /// The key can't sign with the algorithm.
        case algorithmMismatch
        /// The app signs or provides identity tokens, and the stored session was opened without the app's function.
        case keyUnavailable
        /// The assertion was not signed, or not within the timeout of a request.
        case signingFailed
        /// The identity token can't be read, or not within the timeout of a request, or the file is not a regular one of
        /// at most 64 KiB.
        case identityTokenUnreadable
        /// The identity token is not a signed JWT in the compact form.
        case identityTokenMalformed

        /// No browser could be opened.
        case noBrowser
        /// The loopback listener could not bind a port, was used before, or lost its socket; nil if any port was wanted.
        case portUnavailable(Int?)

        /// The code of an error with this reason.
        var code: Code {
            switch self {
            case .stateMismatch, .issuerMismatch, .redirectMismatch, .noPendingAuthorization, .resourceMismatch,
                .missingMembers, .invalidMember, .redirected, .idToken, .missingSubject, .subjectMismatch:
                .invalidResponse
            case .unauthorized, .otherAudience: .refused
            case .distinctRedirectRequired, .missingDPoPKey: .invalidRequest
            case .unreadableKey, .keyTooShort, .algorithmMismatch, .keyUnavailable, .signingFailed,
                .identityTokenUnreadable, .identityTokenMalformed:
                .unusableCredential
            case .noBrowser, .portUnavailable: .browserUnavailable
            }
        }
    }
}
