// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The session of an older version of an app, as its items describe it.
///
/// Each part but the main token may be missing or damaged; the user is signed in all the same.
struct LegacySession: Sendable {
    private let values: LegacyItemGroup.Values

    private static let userID = StoreKey(trusted: "user-id")
    private static let accessToken = StoreKey(trusted: "access-token")
    private static let expiry = StoreKey(trusted: "expiry")

    /// The longest identifier of a user, in bytes.
    private static let longestUserID = 255
    /// The longest date, in bytes.
    private static let longestExpiry = 64
    /// The valid expiries, from 1970 to the end of the year 9999.
    private static let moments = 0.0...253_402_300_799
    /// The expiry of a token that must be refreshed before it is used.
    private static let dueNow = Date(timeIntervalSince1970: 0)

    /// Returns the items of a location that make up a session.
    ///
    /// - Parameters:
    ///   - location: The older location.
    ///   - names: The accounts of the items.
    ///   - contract: The contract of the backend. The main item is the session token or the refresh token.
    /// - Returns: The items as one value.
    /// - Throws: `SecureStoreError` (`invalidName`), or the location's error.
    static func items(
        in location: LegacyLocation,
        _ names: LegacySessionNames,
        _ contract: SessionBackend.Contract
    ) throws -> LegacyItemGroup {
        let userID = try location.item(names.userID)
        switch contract {
        case .sessionToken:
            return LegacyItemGroup(try location.item(names.token), with: [Self.userID: userID])
        case .tokenPair:
            let companions = [
                Self.userID: userID,
                accessToken: try location.item(names.accessToken),
                expiry: try location.item(names.tokenExpiry),
            ]
            return LegacyItemGroup(try location.item(names.refreshToken), with: companions)
        }
    }

    /// Reads the items' common value.
    ///
    /// - Parameter item: The value of a group of items, or a bare token. Secret.
    /// - Throws: `SecureStoreError` (`damaged`).
    init(_ item: SecretBytes) throws {
        values = try LegacyItemGroup.Values(item)
    }

    /// Returns the session's record.
    ///
    /// The same items always give the same record: it has no random part, and no dates except those in the items.
    ///
    /// - Parameters:
    ///   - backend: The backend that issued the tokens.
    ///   - contract: Its contract.
    /// - Returns: The record, before the first refresh.
    /// - Throws: `TokenFormatError`; ``SessionRecordError`` (`damaged`) if the main token is not UTF-8.
    func record(of backend: SessionBackend, _ contract: SessionBackend.Contract) throws -> SessionRecord {
        guard let text = String(validating: values.main.unredacted, as: UTF8.self) else {
            throw SessionRecordError(.damaged)
        }
        let tokens =
            switch contract {
            case .sessionToken: try Self.tokens(of: AccessToken(text))
            case .tokenPair: try pair(with: RefreshToken(text))
            }
        return SessionRecord(
            tokenGeneration: 0,
            tokens: tokens,
            user: userID(besides: tokens.accessToken, contract).map { SessionUser(id: $0) },
            authority: backend.authority.record,
            // Names the token that the session comes from. Without a name, the session would look like another user's
            // once the server has named the user.
            signIn: "migrated-" + Hexadecimal.encode(values.main.sha256)
        )
    }

    /// Returns a session token with the lifetime that it names if it is a JWT; the server still decides.
    private static func tokens(of token: AccessToken) -> TokenSet {
        let claims = try? UnverifiedJWT(token.unredacted).claims
        return TokenSet(
            accessToken: token,
            lifetime: TokenLifetime(issuedAt: claims?.issuedAt, expiresAt: claims?.expiration)
        )
    }

    /// Returns a refresh token with the access token beside it, which is due at once if its expiry is unknown.
    private func pair(with refreshToken: RefreshToken) throws -> TokenSet {
        let known = text(Self.accessToken).flatMap { try? AccessToken($0) }
        // A record holds an access token. This one has expired, so it is never sent to an API.
        let accessToken = try known ?? AccessToken("migrated-without-access-token")
        let expiresAt = known == nil ? nil : text(Self.expiry).flatMap(Self.date)
        return TokenSet(
            accessToken: accessToken,
            lifetime: TokenLifetime(issuedAt: nil, expiresAt: expiresAt ?? Self.dueNow),
            refreshToken: refreshToken
        )
    }

    /// Returns the user's identifier if it can be the token's.
    ///
    /// An older version may have left the identifier of an earlier user. So it is left out if the token contradicts it.
    /// A pair of tokens has to confirm it: with a session token, the server names the user when it is asked next, but
    /// the responses to a pair name no user.
    private func userID(besides token: AccessToken, _ contract: SessionBackend.Contract) -> String? {
        guard let id = text(Self.userID), (1...Self.longestUserID).contains(id.utf8.count),
            id.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }),
            id.contains(where: { !$0.isWhitespace })
        else { return nil }
        let subject = (try? UnverifiedJWT(token.unredacted).claims)?.subject
        guard let subject else { return contract == .sessionToken ? id : nil }
        return subject.utf8.elementsEqual(id.utf8) ? id : nil
    }

    private func text(_ name: StoreKey) -> String? {
        values.companions[name].flatMap { String(validating: $0.unredacted, as: UTF8.self) }
    }

    /// Reads seconds since 1970, or a date and time of RFC 3339; nil if the text is neither.
    private static func date(_ text: String) -> Date? {
        guard text.utf8.count <= longestExpiry else { return nil }
        let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == 0x2E }
        let found: Date? =
            if isNumber {
                Double(text).map(Date.init(timeIntervalSince1970:))
            } else {
                (try? Date.ISO8601FormatStyle().parse(text))
                    ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
            }
        return found.flatMap { moments.contains($0.timeIntervalSince1970) ? $0 : nil }
    }
}
