// SPDX-License-Identifier: Apache-2.0

import APIClient
package import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that is written to the store, secrets included; its description and its dump show nothing.
package protocol StoredForm: Codable, Redacted {}

/// The common beginning of every stored form, in every version.
struct StoredHeader: Codable {
    let version: Int
}

/// The stored form of tokens.
///
/// The types of the tokens and of the key are not `Codable`, so that no other form stores one by accident.
package struct StoredTokens: StoredForm, Equatable {
    package var tokens: TokenSet

    private struct Form: Codable {
        let accessToken: String
        let refreshToken: String?
        let idToken: String?
        let scope: String?
        let issuedAt: Date?
        let expiresAt: Date?
        /// The DPoP key in Base64url, for tokens that are bound to it.
        let dpopKey: String?
        /// The APIs that the sign-in named.
        let resources: [String]
    }

    package init(_ tokens: TokenSet) { self.tokens = tokens }

    package init(from decoder: any Decoder) throws {
        let form = try Form(from: decoder)
        tokens = TokenSet(
            accessToken: try AccessToken(form.accessToken),
            lifetime: TokenLifetime(issuedAt: form.issuedAt, expiresAt: form.expiresAt),
            refreshToken: try form.refreshToken.map { try RefreshToken($0) },
            idToken: try form.idToken.map { try IDToken($0) },
            scope: form.scope.map { Scope($0) }
        )
        tokens.resources = form.resources
        guard let dpopKey = form.dpopKey else { return }
        // Without their key, bound tokens would be sent as bearer tokens and refused.
        guard let key = Base64URL.decode(dpopKey.utf8).map({ SecretBytes($0) }), DPoPKey(key) != nil else {
            throw SessionRecordError(.damaged)
        }
        tokens.dpopKeyBytes = key
        tokens.accessToken = tokens.accessToken.bound
    }

    package func encode(to encoder: any Encoder) throws {
        let form = Form(
            accessToken: tokens.accessToken.unredacted,
            refreshToken: tokens.refreshToken?.unredacted,
            idToken: tokens.idToken?.unredacted,
            scope: tokens.scope?.description,
            issuedAt: tokens.lifetime.issuedAt,
            expiresAt: tokens.lifetime.expiresAt,
            dpopKey: tokens.dpopKeyBytes.map { Base64URL.encode($0.unredacted) },
            resources: tokens.resources
        )
        try form.encode(to: encoder)
    }
}

/// The stored form of an ID token of a refresh, which is verified when it is used: the tokens beside it must not wait
/// for the provider's keys.
struct ReceivedIDToken: StoredForm, Equatable {
    /// The secret text, which may be no ID token.
    let token: IDToken

    init(_ token: IDToken) { self.token = token }

    init(from decoder: any Decoder) throws { token = try IDToken(try String(from: decoder)) }

    func encode(to encoder: any Encoder) throws { try token.unredacted.encode(to: encoder) }
}
