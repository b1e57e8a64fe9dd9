// SPDX-License-Identifier: Apache-2.0

import APIClient
package import AuthCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A value that is written to the store, secrets included; its description and its dump show nothing.
package protocol StoredForm: Codable, Redacted {}

extension StoredForm {
    /// Returns the bytes to store, which are secret, and the same ones for the same value.
    package func encoded() throws -> SecretBytes {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .secondsSince1970
        return SecretBytes(try encoder.encode(self))
    }
}

extension JSONDecoder {
    /// The decoder of stored forms.
    package static var ofStoredForms: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }
}

/// A stored form that is an item of its own, with the version of the form.
protocol StoredItemForm: StoredForm {
    var version: Int { get }
}

extension StoredItemForm {
    /// Reads an item of version 1.
    ///
    /// - Throws: ``SessionRecordError`` (`damaged`; `unknownVersion`: a newer version of this package wrote the item).
    init(stored item: SecretBytes) throws(SessionRecordError) {
        let (decoder, data) = (JSONDecoder.ofStoredForms, Data(item.unredacted))
        guard let form = try? decoder.decode(Self.self, from: data), form.version == 1 else {
            let header = try? decoder.decode(StoredHeader.self, from: data)
            throw SessionRecordError(header.map { $0.version != 1 } ?? false ? .unknownVersion : .damaged)
        }
        self = form
    }
}

/// The common beginning of every item, in every version.
private struct StoredHeader: Decodable {
    let version: Int
}

extension Date {
    /// The times that a stored form may hold, in seconds since 1970: to the end of the year 9999.
    static let storable = 0.0...253_402_300_799
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
        let issuedAtBoot: BootTime?
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
        tokens.lifetime.issuedAtBoot = form.issuedAtBoot
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
            issuedAtBoot: tokens.lifetime.issuedAtBoot,
            expiresAt: tokens.lifetime.expiresAt,
            dpopKey: tokens.dpopKeyBytes.map { Base64URL.encode($0.unredacted) },
            resources: tokens.resources
        )
        try form.encode(to: encoder)
    }
}

/// An ID token of a refresh that is verified when it is used: the tokens beside it must not wait for the provider's keys.
package struct ReceivedIDToken: StoredForm, Equatable {
    /// The secret text, which may be no ID token.
    package let token: IDToken
    /// The arrival, by the provider's clock as far as it is known.
    ///
    /// The token's times are checked against it: this device's clock may be wrong, or be set before the token is used.
    package let receivedAt: Date

    private enum CodingKeys: String, CodingKey {
        case token, receivedAt
    }

    /// A provider's clock may show anything: the arrival is limited to the times that a stored session may hold.
    package init(_ token: IDToken, at date: Date) {
        let limited = min(max(date.timeIntervalSince1970, Date.storable.lowerBound), Date.storable.upperBound)
        (self.token, receivedAt) = (token, Date(timeIntervalSince1970: limited))
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        token = try IDToken(try members.decode(String.self, forKey: .token))
        receivedAt = try members.decode(Date.self, forKey: .receivedAt)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(token.unredacted, forKey: .token)
        try members.encode(receivedAt, forKey: .receivedAt)
    }
}
