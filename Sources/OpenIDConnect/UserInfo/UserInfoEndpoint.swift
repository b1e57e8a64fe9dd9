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
    /// - Returns: The claims about this user.
    /// - Throws: ``UserInfoError``; `CancellationError`.
    func claims(with token: AccessToken, of subject: String?, boundTo key: DPoPKey?) async throws -> UserInfo {
        guard let endpoint = provider.metadata.optional.userInfo else { throw UserInfoError(.notOffered) }
        // RFC 9449, 7.1: a bound token must not be sent as a bearer token, which is usable for anyone who sees it.
        guard key != nil || !token.isBound else { throw UserInfoError(.missingProofKey) }
        let client = ProviderClient(settings: provider.settings)
        let scheme = key == nil ? "Bearer" : "DPoP"
        let authorization: HTTPFields = [.authorization: "\(scheme) \(token.unredacted)"]
        let answer: ProviderAnswer
        do {
            answer = try await provider.proofs.sending(to: endpoint, boundTo: key, token: token, method: "GET") {
                try await client.get(endpoint, accept: "application/json, application/jwt", authorization + $0)
            }
        } catch let error as APIError {
            throw UserInfoError(.unreachable, underlying: error)
        }
        guard answer.isSuccess else {
            throw UserInfoError(
                Self.code(forStatus: answer.status),
                oauthCode: Self.oauthCode(in: answer, hiding: token),
                status: answer.status
            )
        }
        let claims = answer.isOfType("application/jwt") ? try await signed(answer) : try Self.plain(answer)
        // Core, 5.3.2: sub MUST be present and exactly match the ID token's, or the other claims MUST NOT be used.
        guard let said = claims["sub"]?.string else { throw UserInfoError(.missingSubject) }
        guard subject.map({ said.utf8.elementsEqual($0.utf8) }) ?? true else { throw UserInfoError(.subjectMismatch) }
        guard (1...255).contains(said.utf8.count) else { throw UserInfoError(.missingSubject) }
        return UserInfo(subject: said, claims: claims)
    }

    private static func code(forStatus status: Int) -> UserInfoError.Code {
        switch status {
        case 401: .unauthorized
        case _ where HTTPFailure.isRetryable(status: status): .serverFailed
        default: .refused
        }
    }

    /// Returns a refusal's error code from the challenge (RFC 6750, 3), or from the body, as some providers send it.
    private static func oauthCode(in answer: ProviderAnswer, hiding token: AccessToken) -> OAuthErrorCode? {
        guard answer.status < 500 else { return nil }
        let challenges = ChallengeParser.challenges(in: answer.fields[values: .wwwAuthenticate])
        let secrets = [token.unredacted]
        if let error = challenges.first(where: { $0.isAboutAccessTokens && $0.error != nil })?.error {
            return OAuthRefusal(code: error, message: nil, hiding: secrets)?.code
        }
        return OAuthRefusal(answer, hiding: secrets)?.code
    }

    private static func plain(_ answer: ProviderAnswer) throws -> [String: JSONValue] {
        guard let claims = ProviderDocument(answer.body)?.members else { throw UserInfoError(.unreadable) }
        return claims
    }

    /// Returns the claims of a signed response, checked like an ID token's (Core, 5.3.2).
    private func signed(_ answer: ProviderAnswer) async throws -> [String: JSONValue] {
        // Some servers end a body with a line break.
        let token = ASCIIText.trimmed(answer.body)
        // The length first, so that a response of megabytes is not parsed.
        guard token.count <= SecretText.maximumLength, let text = String(validating: token, as: UTF8.self) else {
            throw UserInfoError(.unreadable)
        }
        do {
            let claims = try await provider.userInfoSignatureCheck.signed(text).claims
            // Core, 5.3.2: iss and aud SHOULD be present, naming the issuer and the client. They are required here.
            guard let issuer = claims.issuer else { throw IDTokenError(.missingClaim, claim: "iss") }
            guard provider.metadata.issuer.isNamed(issuer) else { throw IDTokenError(.issuerMismatch) }
            guard claims.audience.contains(where: { $0.utf8.elementsEqual(provider.client.id.utf8) }) else {
                throw IDTokenError(.audienceMismatch)
            }
            return claims.all
        } catch let error as IDTokenError where error.code == .keysUnavailable {
            throw UserInfoError(.unreachable, underlying: error)
        } catch let error as IDTokenError {
            throw UserInfoError(.invalidSignature, underlying: error)
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
    ///   - proofKey: The key that the token is bound to; nil for a bearer token.
    /// - Returns: The claims about this user.
    /// - Throws: ``UserInfoError`` (`missingProofKey`: the token is bound to a key, and nothing was sent);
    ///   `CancellationError`.
    public func userInfo(
        with token: AccessToken,
        of subject: String?,
        boundTo proofKey: DPoPKey?
    ) async throws -> UserInfo {
        try await UserInfoEndpoint(provider: self).claims(with: token, of: subject, boundTo: proofKey)
    }
}
