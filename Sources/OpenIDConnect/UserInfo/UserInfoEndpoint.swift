// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore
import HTTPTypes

/// The endpoint that returns claims about the user.
///
/// [OpenID Connect Core 1.0, 5.3](https://openid.net/specs/openid-connect-core-1_0.html#UserInfo).
struct UserInfoEndpoint: Sendable {
    let provider: OpenIDProvider

    /// Requests the claims.
    ///
    /// - Parameters:
    ///   - token: The access token. Sent only in the header field.
    ///   - subject: The subject of the ID token; nil if there was no ID token, to accept any subject.
    ///   - key: The key that the token is bound to; nil for a bearer token.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    func claims(with token: AccessToken, of subject: String?, dpopKey key: DPoPKey?) async throws -> UserInfo {
        guard let endpoint = provider.userEndpoint?.url ?? provider.metadata.userInfoEndpoint else {
            throw OpenIDError(.userInfo, .unsupported)
        }
        // RFC 9449, 7.1: a bound token must not be sent as a bearer token, which is usable for anyone who sees it.
        guard key != nil || !token.isBound else { throw OpenIDError(.userInfo, .missingDPoPKey) }
        let client = ProviderClient(settings: provider.settings)
        let scheme = key == nil ? "Bearer" : "DPoP"
        var fields: HTTPFields = [.authorization: "\(scheme) \(token.unredacted)"]
        // GitHub's API refuses a request without a user agent.
        if provider.userEndpoint != nil { fields[.userAgent] = "sallyport" }
        let response: ProviderResponse
        do {
            response = try await provider.proofs.sending(to: endpoint, dpopKey: key, token: token, method: "GET") {
                try await client.get(endpoint, accept: "application/json, application/jwt", fields + $0)
            }
        } catch let error as APIError {
            throw OpenIDError(.userInfo, error)
        }
        guard response.isSuccess else { throw refusal(response) }
        let said = response.isOfType("application/jwt") ? try await signed(response) : try Self.plain(response)
        let claims = provider.userEndpoint?.claims(in: said) ?? said
        // Core, 5.3.2: sub MUST be present and exactly match the ID token's, or the other claims MUST NOT be used.
        guard let said = claims["sub"]?.string else { throw OpenIDError(.userInfo, .missingSubject) }
        guard subject.map({ said.utf8.elementsEqual($0.utf8) }) ?? true else {
            throw OpenIDError(.userInfo, .subjectMismatch)
        }
        guard (1...255).contains(said.utf8.count) else { throw OpenIDError(.userInfo, .missingSubject) }
        return UserInfo(subject: said, claims: claims)
    }

    private func refusal(_ response: ProviderResponse) -> OpenIDError {
        // The error code is in the challenge (RFC 6750, 3), or in the body, as some providers send it.
        let challenges = AuthenticationChallenge.challenges(in: response.fields[values: .wwwAuthenticate])
        let said = challenges.first { $0.isAboutAccessTokens && $0.error != nil }?.error
        let refusal =
            said.flatMap { OAuthErrorResponse(code: $0, message: nil, sent: response.sent) }
            ?? OAuthErrorResponse(response)
        let status = response.status
        // RFC 6750, 3.1, demands 401. Some providers send 400.
        if status == 401 || status == 400 && refusal?.code == .invalidToken {
            return OpenIDError(.userInfo, .unauthorized, oauthCode: refusal?.code, status: status)
        }
        return OpenIDError(.userInfo, response, provider.settings, refusal: refusal)
    }

    private static func plain(_ response: ProviderResponse) throws -> [String: JSONValue] {
        guard let claims = ProviderDocument(response.body)?.members else {
            throw OpenIDError(.userInfo, .malformedResponse)
        }
        return claims
    }

    /// Returns the claims of a signed response, checked like an ID token's (Core, 5.3.2).
    private func signed(_ response: ProviderResponse) async throws -> [String: JSONValue] {
        // Some servers end a body with a line break.
        let token = ASCIIText.trimmed(response.body)
        // The length first, so that a response of megabytes is not parsed.
        guard token.count <= SecretText.maximumLength, let text = String(validating: token, as: UTF8.self) else {
            throw OpenIDError(.userInfo, .malformedResponse)
        }
        do {
            let claims = try await provider.userInfoSignatureVerifier.signed(text).claims
            // Core, 5.3.2: iss and aud SHOULD be present, naming the issuer and the client. They must not name others.
            if claims["iss"] != nil, !(claims.issuer.map(provider.metadata.issuer.isNamed(inResponse:)) ?? false) {
                throw IDTokenError(.issuerMismatch)
            }
            let clientID = provider.client.id.utf8
            if claims["aud"] != nil, !claims.audience.contains(where: { $0.utf8.elementsEqual(clientID) }) {
                throw IDTokenError(.audienceMismatch)
            }
            return claims.all.mapValues(\.bounded)
        } catch let error as IDTokenError where error.code == .keysUnavailable {
            throw OpenIDError(.userInfo, .unreachable, underlying: error)
        } catch let error as IDTokenError {
            throw OpenIDError(.userInfo, .idToken(error))
        }
    }
}

extension OpenIDProvider {
    /// Requests the claims about the user.
    ///
    /// - Parameters:
    ///   - token: The access token. Sent only in the header field.
    ///   - subject: The subject of the ID token; nil if there was no ID token. Any subject is then accepted, because
    ///     the access token came from the provider itself over TLS.
    ///   - dpopKey: The key that the token is bound to; nil for a bearer token.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    public func userInfo(
        with token: AccessToken,
        of subject: String?,
        dpopKey: DPoPKey?
    ) async throws -> UserInfo {
        try await UserInfoEndpoint(provider: self).claims(with: token, of: subject, dpopKey: dpopKey)
    }

    /// Requests the claims about the user with the tokens of a session.
    ///
    /// - Parameters:
    ///   - tokens: The tokens. Secret.
    ///   - subject: The user of the session; nil if unknown.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    package func userInfo(with tokens: TokenSet, of subject: String?) async throws -> UserInfo {
        do {
            return try await userInfo(with: tokens.accessToken, of: subject, dpopKey: tokens.dpopKey)
        } catch let error as OpenIDError where error.reason == .unauthorized && isForAnotherAPI(tokens.scope) {
            throw OpenIDError(.userInfo, .otherAudience, oauthCode: error.oauthCode, status: error.status)
        }
    }

    /// Returns whether an access token with these scopes is for another API than the userinfo endpoint's.
    package func isForAnotherAPI(_ scope: Scope?) -> Bool {
        guard let prefix = profile.userInfoScopePrefix else { return false }
        return scope?.values.contains { $0.contains("/") && !$0.hasPrefix(prefix) } ?? false
    }
}
