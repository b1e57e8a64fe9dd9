// SPDX-License-Identifier: Apache-2.0

public import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A token response, checked for its form (RFC 6749, 5.1) but not for its user.
struct TokenResponse: Sendable {
    /// The access token; a failure only if a refresh response has a refresh token, but no usable access token.
    let access: Result<AccessToken, OpenIDError>
    /// The lifetime in seconds; nil if the provider omits it.
    let expiresIn: Int?
    let refreshToken: RefreshToken?
    /// The ID token; nil if it is missing or malformed.
    let idToken: IDToken?
    let hasMalformedIDToken: Bool
    let scope: Scope?
    /// The type of the issued token, after a token exchange (RFC 8693, 2.2.1).
    let issuedTokenType: String?
    let offset: ClockOffset

    /// Reads a response of any status, to a request with a DPoP proof if `isBound`.
    ///
    /// A refresh response may be the only copy of tokens that replace others: an unreadable optional member is dropped
    /// instead of failing the response.
    init(
        _ response: ProviderResponse,
        isBound: Bool,
        isRefresh: Bool = false,
        of metadata: ProviderMetadata? = nil,
        _ settings: ProviderSettings
    ) throws(OpenIDError) {
        guard response.isSuccess else { throw OpenIDError(.token, response, settings) }
        guard let document = ProviderDocument(response) else {
            throw OpenIDError(.token, .malformedResponse, status: response.status)
        }
        // Some providers send an error with a success status.
        if document["access_token"] == nil, let refusal = OAuthErrorResponse(response) {
            throw OpenIDError(.token, .refused, refusal, status: response.status)
        }
        // Without the provider's keys, an ID token proves nothing.
        let idTokenText = metadata?.issuesIDTokens ?? true ? document["id_token"] : nil
        idToken = idTokenText?.string.flatMap { try? IDToken($0) }
        issuedTokenType = document["issued_token_type"]?.string
        hasMalformedIDToken = idTokenText != nil && idToken == nil
        do {
            refreshToken = try Self.readable(isRefresh) {
                try document.optionalText("refresh_token").map { try RefreshToken($0) }
            }
            expiresIn = try Self.readable(isRefresh) { try document.seconds("expires_in") }
            scope = try Self.readable(isRefresh) { try document.words("scope") }.flatMap {
                Self.scope($0, of: metadata?.issuer.profile ?? .standard)
            }
        } catch {
            throw Self.fault(error)
        }
        access = Result { () throws(OpenIDError) in
            do {
                // RFC 6749, 5.2: a response with an error is no success, whatever is beside the error.
                guard document["error"] == nil else {
                    throw OpenIDError(.token, .invalidResponse, OAuthErrorResponse(response), status: response.status)
                }
                return try Self.accessToken(in: document, isBound: isBound)
            } catch {
                throw Self.fault(error)
            }
        }
        if case .failure(let error) = access, !isRefresh || refreshToken == nil { throw error }
        offset = response.offset
    }

    /// Returns the granted scopes by their usual names; nil if the response names none.
    private static func scope(_ text: String, of profile: ProviderProfile) -> Scope? {
        // RFC 6749, 3.3: at least one, separated by spaces.
        let values = Scope(profile.separatesScopesByCommas ? text.replacing(",", with: " ") : text).values
        return values.isEmpty ? nil : Scope(values.map { profile.scopeAliases[$0] ?? $0 }.joined(separator: " "))
    }

    private static func accessToken(in document: ProviderDocument, isBound: Bool) throws -> AccessToken {
        guard let token = try document.text("access_token") else { throw OpenIDError(.token, .invalidResponse) }
        let accessToken = isBound ? try AccessToken(token).bound : try AccessToken(token)
        // RFC 6749, 5.1: REQUIRED, compared without regard to case; 7.1: an unknown type MUST NOT be used.
        // RFC 9449, 5: a client that requested a bound token refuses any other type.
        let type = try document.text("token_type") ?? ""
        guard ASCIIText.equalIgnoringCase(type.utf8, (isBound ? "dpop" : "bearer").utf8) else {
            throw OpenIDError(.token, .invalidResponse)
        }
        return accessToken
    }

    private static func fault(_ error: any Error) -> OpenIDError {
        switch error {
        case let error as OpenIDError: error
        case let error as ProviderDocument.MemberError: OpenIDError(.token, .malformedResponse, underlying: error)
        default: OpenIDError(.token, .invalidResponse, underlying: error)
        }
    }

    private static func readable<Value>(_ isLenient: Bool, _ read: () throws -> Value?) throws -> Value? {
        do {
            return try read()
        } catch {
            guard isLenient else { throw error }
            return nil
        }
    }
}

/// The verified tokens that a provider issued for a grant.
public struct OpenIDTokens: Sendable {
    /// The tokens; a value that the provider omitted is nil.
    public let tokens: TokenSet
    /// The verified ID token of `tokens`; nil if there is no ID token.
    public let idToken: VerifiedIDToken?
}

extension TokenResponse {
    /// Returns the tokens, with a lifetime that starts at the request.
    func tokens(requestedAt start: Date, idToken: IDToken?) throws(OpenIDError) -> TokenSet {
        let accessToken = try access.get()
        let lifetime: TokenLifetime
        if let expiresIn {
            lifetime = TokenLifetime(expiresIn: expiresIn, from: start)
        } else if let claims = try? UnverifiedJWT(accessToken.unredacted).claims {
            // RFC 9068: many access tokens contain their own expiration.
            lifetime = TokenLifetime(claims: claims, from: start, offset: offset)
        } else {
            lifetime = TokenLifetime(expiresIn: nil, from: start)
        }
        return TokenSet(
            accessToken: accessToken,
            lifetime: lifetime,
            refreshToken: refreshToken,
            idToken: idToken,
            scope: scope
        )
    }
}
