// SPDX-License-Identifier: Apache-2.0

import APIClient

/// The grant with which a program requests its tokens, without a user.
public enum ProgramGrant: Sendable, Equatable {
    /// The client's own credentials.
    ///
    /// Wire: `client_credentials`. [RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4).
    case clientCredentials
    /// An assertion about the program, or about a user that it acts for.
    ///
    /// Wire: `urn:ietf:params:oauth:grant-type:jwt-bearer`.
    /// [RFC 7523, 2.1](https://www.rfc-editor.org/rfc/rfc7523#section-2.1).
    case jwtBearer(JWTBearerAssertion)
    /// An identity token that the server exchanges for a token of its own.
    ///
    /// Wire: `urn:ietf:params:oauth:grant-type:token-exchange` with the subject token type
    /// `urn:ietf:params:oauth:token-type:jwt`. [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
    case tokenExchange(IdentityTokenSource)

    /// Returns whether tokens of one grant are those of the other, too.
    ///
    /// The key that signs the same claims may be another one: it may be renewed, and a stored signer is lost. Sources
    /// of identity tokens must be equal.
    package func isSame(as other: ProgramGrant) -> Bool {
        switch (self, other) {
        case (.clientCredentials, .clientCredentials): true
        case (.jwtBearer(.signed(let mine, by: _)), .jwtBearer(.signed(let theirs, by: _))):
            mine == theirs
        case (.jwtBearer(.issued(let mine)), .jwtBearer(.issued(let theirs))),
            (.tokenExchange(let mine), .tokenExchange(let theirs)):
            mine == theirs
        default: false
        }
    }

    /// Returns the form's fields of one request, with a new assertion or the current identity token.
    ///
    /// Secret.
    ///
    /// - Throws: ``OpenIDError``; `CancellationError`.
    func form(at provider: OpenIDProvider) async throws -> [(String, String)] {
        switch self {
        case .clientCredentials:
            return [("grant_type", "client_credentials")]
        case .jwtBearer(let assertion):
            return [
                ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                ("assertion", try await assertion.text(at: provider)),
            ]
        case .tokenExchange(let source):
            return [
                ("grant_type", TokenEndpoint.tokenExchangeGrant),
                ("subject_token", try await provider.limited(.identityTokenUnreadable) { try await source.token() }),
                ("subject_token_type", TokenType.jwt),
                ("requested_token_type", TokenType.accessToken),
            ]
        }
    }
}

/// The assertion of the JWT bearer grant.
///
/// [RFC 7523, 2.1](https://www.rfc-editor.org/rfc/rfc7523#section-2.1).
public enum JWTBearerAssertion: Sendable, Equatable {
    /// An assertion that is signed here, a new one for each request.
    case signed(AssertionClaims, by: ClientAssertionKey)
    /// The identity token that another program issued.
    case issued(IdentityTokenSource)

    /// Returns the assertion for one request.
    ///
    /// Secret.
    fileprivate func text(at provider: OpenIDProvider) async throws -> String {
        switch self {
        case .signed(let claims, by: let key):
            let audience = provider.audience(of: key)
            let members = claims.members(audience: audience, issuedAt: provider.proofs.serverTime)
            return try await provider.limited(.signingFailed) { try await key.jwt(of: members) }
        case .issued(let source):
            return try await provider.limited(.identityTokenUnreadable) { try await source.token() }
        }
    }
}
