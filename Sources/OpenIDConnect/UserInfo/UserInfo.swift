// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore
import HTTPTypes

/// A provider's claims about the signed-in user, which a printed value doesn't show.
///
/// The subject was compared with the session's user, if known. The other claims are as trusted as the provider.
/// [OpenID Connect Core 1.0, 5.1](https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims).
public struct UserInfo: Sendable, Hashable, Redacted {
    /// The provider's identifier of the user, the same as in the ID token.
    public let subject: String
    /// The claims by their wire names, including `sub`.
    public let claims: [String: JSONValue]

    /// The user's full name.
    public var name: String? { claims["name"]?.string }
    /// The email address, which belongs to the user only if `email_verified` is true.
    public var email: String? { claims["email"]?.string }
    /// Whether the provider verified that the address belongs to the user; nil if unknown.
    public var isEmailVerified: Bool? { claims["email_verified"]?.boolean }
    /// The user's telephone number.
    public var phoneNumber: String? { claims["phone_number"]?.string }
}

extension OpenIDProvider {
    /// The endpoint that describes the user; nil if no endpoint may be asked.
    ///
    /// Without OpenID Connect it is that of ``userEndpoint`` alone, because the metadata's must not get an API's token.
    package var userInfoEndpoint: EndpointURL? {
        userEndpoint?.url ?? (metadata.issuesIDTokens ? metadata.userInfoEndpoint : nil)
    }

    /// Requests the claims about the user
    /// ([Core, 5.3](https://openid.net/specs/openid-connect-core-1_0.html#UserInfo)).
    ///
    /// Without an ID token's subject, any is accepted, because the access token came from the provider itself over TLS.
    public func userInfo(with token: AccessToken, of subject: String?, dpopKey key: DPoPKey?) async throws -> UserInfo {
        guard let endpoint = userInfoEndpoint else { throw OpenIDError(.userInfo, .unsupported) }
        // RFC 9449, 7.1: a bound token must not be sent as a bearer token, which is usable for anyone who sees it.
        guard key != nil || !token.isBound else { throw OpenIDError(.userInfo, .missingDPoPKey) }
        let client = ProviderClient(settings: settings)
        let scheme = key == nil ? "Bearer" : "DPoP"
        var fields: HTTPFields = [.authorization: "\(scheme) \(token.unredacted)"]
        // GitHub's API refuses a request without a user agent.
        if userEndpoint != nil { fields[.userAgent] = "sallyport" }
        let response = try await OpenIDError.Operation.userInfo.sending {
            try await proofs.sending(to: endpoint, dpopKey: key, token: token, method: "GET") {
                try await client.get(endpoint, accept: "application/json, application/jwt", fields + $0)
            }
        }
        guard response.isSuccess else { throw userInfoRefusal(response) }
        let said = try await members(of: response)
        let claims = userEndpoint?.claims(in: said) ?? said
        // Core, 5.3.2: sub MUST be present and exactly match the ID token's, or the other claims MUST NOT be used.
        guard let said = claims["sub"]?.string else { throw OpenIDError(.userInfo, .missingSubject) }
        guard subject.map({ said.utf8.elementsEqual($0.utf8) }) ?? true else {
            throw OpenIDError(.userInfo, .subjectMismatch)
        }
        guard (1...255).contains(said.utf8.count) else { throw OpenIDError(.userInfo, .missingSubject) }
        return UserInfo(subject: said, claims: claims)
    }

    private func userInfoRefusal(_ response: ProviderResponse) -> OpenIDError {
        // The error code is in the challenge (RFC 6750, 3), or in the body, as some providers send it.
        let challenges = AuthenticationChallenge.challenges(in: response.fields[values: .wwwAuthenticate])
        let said = challenges.first { $0.isAboutAccessTokens && $0.error != nil }?.error
        let refusal =
            said.flatMap { OAuthErrorResponse(code: $0, message: nil, sent: response.sent) }
            ?? OAuthErrorResponse(response)
        // RFC 6750, 3.1, demands 401. Some providers send 400.
        if response.status == 401 || response.status == 400 && refusal?.code == .invalidToken {
            return OpenIDError(.userInfo, .unauthorized, oauthCode: refusal?.code, status: response.status)
        }
        return OpenIDError(.userInfo, response, settings, refusal: refusal)
    }

    /// Returns the claims of a response, which are checked like an ID token's if they are signed (Core, 5.3.2).
    private func members(of response: ProviderResponse) async throws -> [String: JSONValue] {
        guard response.isOfType("application/jwt") else {
            guard let claims = ProviderDocument(response.body)?.members else {
                throw OpenIDError(.userInfo, .malformedResponse)
            }
            return claims
        }
        // Some servers end a body with a line break.
        let token = ASCIIText.trimmed(response.body)
        // The length first, so that a response of megabytes is not parsed.
        guard token.count <= SecretText.maximumLength, let text = String(validating: token, as: UTF8.self) else {
            throw OpenIDError(.userInfo, .malformedResponse)
        }
        do {
            let claims = try await userInfoSignatureVerifier.signed(text).claims
            // Core, 5.3.2: iss and aud SHOULD be present, naming the issuer and the client. They must not name others.
            if claims["iss"] != nil, !(claims.issuer.map(metadata.issuer.isNamed(inResponse:)) ?? false) {
                throw IDTokenError(.issuerMismatch)
            }
            if claims["aud"] != nil, !claims.audience.contains(where: { $0.utf8.elementsEqual(client.id.utf8) }) {
                throw IDTokenError(.audienceMismatch)
            }
            return claims.all.mapValues(\.bounded)
        } catch let error as IDTokenError where error.code == .keysUnavailable {
            throw OpenIDError(.userInfo, .unreachable, underlying: error)
        } catch let error as IDTokenError {
            throw OpenIDError(.userInfo, .idToken(error))
        }
    }

    /// Requests the claims about the user of a session, nil if unknown, with its tokens.
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
