// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore

/// The grant with which a program requests its tokens, without a user.
public struct ProgramGrant: Sendable, Redacted {
    private static let assertionGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    /// The value of `grant_type`.
    package let type: String
    /// What tells the tokens of this grant from those of another one of its type; without a key or a token.
    package let identity: [JSONValue]
    /// Returns the other fields of one request: a new assertion, or the current identity token.
    fileprivate let proof: @Sendable (OpenIDProvider) async throws -> [(String, String)]

    /// The client's own credentials.
    ///
    /// Wire: `client_credentials`. [RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4).
    public static let clientCredentials = ProgramGrant(type: "client_credentials", identity: []) { _ in [] }

    /// An assertion about the program, or about a user that it acts for, which is signed here for each request.
    ///
    /// Tokens for the same claims are the same program's, whatever key signs them.
    ///
    /// - Parameters:
    ///   - issuer: The name of the signer, such as the client ID or a service account's email address. Wire: `iss`.
    ///   - subject: The user or account that the token is for; nil to send none. RFC 7523 requires one, Google only if a
    ///     service account acts for a user. Wire: `sub`.
    ///   - audience: The server that the assertion is for; nil for the ``ClientAssertionKey/audience`` of the key.
    ///   - lifetime: The time for which an assertion is valid. More than an hour counts as an hour, less than a second
    ///     as a second.
    ///   - additionalClaims: The other claims by name, such as Google's `scope`. They don't replace `iss`, `sub`, `aud`,
    ///     `iat`, `exp` and `jti`.
    ///   - key: The key that signs. Secret.
    ///
    /// Wire: `urn:ietf:params:oauth:grant-type:jwt-bearer`.
    /// [RFC 7523, 2.1](https://www.rfc-editor.org/rfc/rfc7523#section-2.1).
    public static func jwtBearer(
        issuer: String,
        subject: String? = nil,
        audience: String? = nil,
        lifetime: Duration = .seconds(300),
        additionalClaims: [String: JSONValue] = [:],
        signedBy key: ClientAssertionKey
    ) -> ProgramGrant {
        let seconds = min(max(lifetime, .seconds(1)), .seconds(3_600)).components.seconds
        var named = additionalClaims
        named["iss"] = .string(issuer)
        named["sub"] = subject.map { .string($0) }
        named["aud"] = audience.map { .string($0) }
        return ProgramGrant(type: assertionGrant, identity: [.object(named), .integer(seconds)]) { [named] provider in
            let issuedAt = provider.proofs.serverTime
            let times: [String: JSONValue] = ["iat": .integer(issuedAt), "exp": .integer(issuedAt + seconds)]
            let audience = provider.audience(of: key, at: provider.metadata.tokenEndpoint)
            let claims = named.merging(times) { $1 }.merging(["aud": .string(audience)]) { given, _ in given }
            return [("assertion", try await provider.limited(.signingFailed) { try await key.jwt(of: claims) })]
        }
    }

    /// The identity token of another program as the assertion.
    ///
    /// Wire: `urn:ietf:params:oauth:grant-type:jwt-bearer`.
    /// [RFC 7523, 2.1](https://www.rfc-editor.org/rfc/rfc7523#section-2.1).
    public static func jwtBearer(_ source: IdentityTokenSource) -> ProgramGrant {
        ProgramGrant(type: assertionGrant, identity: source.identity) { provider in
            [("assertion", try await provider.token(of: source))]
        }
    }

    /// An identity token that the server exchanges for a token of its own: workload identity federation.
    ///
    /// If a server takes the identity token in place of a client secret, use ``clientCredentials`` with
    /// ``OpenIDClient/confidential(id:identity:)`` instead.
    ///
    /// Wire: `urn:ietf:params:oauth:grant-type:token-exchange` with the subject token type
    /// `urn:ietf:params:oauth:token-type:jwt`. [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
    public static func tokenExchange(_ source: IdentityTokenSource) -> ProgramGrant {
        ProgramGrant(type: TokenEndpoint.tokenExchangeGrant, identity: source.identity) { provider in
            [
                ("subject_token", try await provider.token(of: source)),
                ("subject_token_type", TokenType.jwt),
                ("requested_token_type", TokenType.accessToken),
            ]
        }
    }
}

extension OpenIDProvider {
    /// Requests a token of a program itself, without a user.
    ///
    /// The same request may be sent again at any time. A refresh token in the response is dropped, because the grant
    /// gets the next token, too.
    ///
    /// - Parameters:
    ///   - target: The API that the token is for, and its scope; an empty target for the server's choice.
    ///   - dpopKey: The key that the token is bound to; nil for a bearer token.
    /// - Returns: The access token, with the requested scope if the response names none. Secret.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    public func tokens(
        for target: TokenTarget,
        by grant: ProgramGrant = .clientCredentials,
        dpopKey: DPoPKey? = nil
    ) async throws -> TokenSet {
        let start = settings.now()
        let form = [("grant_type", grant.type)] + (try await grant.proof(self)) + target.form
        let response = try await TokenEndpoint(provider: self).exchange(form, dpopKey: dpopKey)
        // RFC 8693, 2.2.1. Other grants name no type.
        guard TokenType.usable.contains(response.issuedTokenType) else { throw OpenIDError(.token, .invalidResponse) }
        var tokens = try response.tokens(requestedAt: start, idToken: nil)
        // RFC 6749, 4.4.3: SHOULD NOT be included.
        tokens.refreshToken = nil
        tokens.scope = tokens.scope ?? target.scope
        return tokens
    }
}
