// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
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
    /// The items of one place that make up a session.
    struct Items: Sendable {
        /// The session token or the refresh token.
        let main: LegacyItem
        let userID: LegacyItem
        var accessToken: LegacyItem?
        var expiry: LegacyItem?

        init(
            in place: (_ account: String) throws -> LegacyItem,
            _ names: LegacySessionNames,
            _ contract: SessionBackend.Contract
        ) throws {
            userID = try place(names.userID)
            switch contract {
            case .sessionToken:
                main = try place(names.token)
            case .tokenPair:
                main = try place(names.refreshToken)
                accessToken = try place(names.accessToken)
                expiry = try place(names.tokenExpiry)
            }
        }

        var companions: [LegacyItem] { [userID] + [accessToken, expiry].compactMap(\.self) }
    }

    private let main: SecretBytes
    private let userID: String?
    private let accessToken: String?
    private let expiry: String?

    /// The longest identifier of a user, in bytes.
    private static let longestUserID = 255
    /// The longest date, in bytes.
    private static let longestExpiry = 64
    /// The valid expiries, from 1970 to the end of the year 9999.
    private static let moments = 0.0...253_402_300_799
    /// The expiry of a token that must be refreshed before it is used.
    private static let dueNow = Date(timeIntervalSince1970: 0)

    /// Reads the items beside the main one, before any of them is removed.
    ///
    /// - Throws: `SecureStoreError` if an item can't be read now: a session without it would be another one.
    init(_ main: SecretBytes, beside items: Items) async throws {
        self.main = main
        userID = try await Self.text(of: items.userID)
        accessToken = try await Self.text(of: items.accessToken)
        expiry = try await Self.text(of: items.expiry)
    }

    /// Returns an item's text; nil if it is absent, damaged or not UTF-8.
    private static func text(of item: LegacyItem?) async throws -> String? {
        do {
            return try await item?.value().flatMap { String(validating: $0.unredacted, as: UTF8.self) }
        } catch let error as SecureStoreError where error.code == .damaged {
            return nil
        }
    }

    /// Returns the session's item, before the first refresh.
    ///
    /// - Throws: `TokenFormatError`; `SessionRecordError` (`damaged`) if the main token is not UTF-8.
    func item(of backend: SessionBackend, _ contract: SessionBackend.Contract) throws -> SecretBytes {
        guard let text = String(validating: main.unredacted, as: UTF8.self) else {
            throw SessionRecordError(.damaged)
        }
        let tokens =
            switch contract {
            case .sessionToken: try Self.tokens(of: AccessToken(text))
            case .tokenPair: try pair(with: RefreshToken(text))
            }
        return try backend.sessionItem(
            of: tokens,
            user: userID(besides: tokens.accessToken, contract).map { SessionUser(id: $0) },
            // Names the token that the session comes from. Without a name, the session would look like another user's
            // once the server has named the user.
            signIn: "migrated-" + Hexadecimal.encode(main.sha256)
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
        let known = accessToken.flatMap { try? AccessToken($0) }
        // A record holds an access token. This one has expired, so it is never sent to an API.
        let accessToken = try known ?? AccessToken("migrated-without-access-token")
        let expiresAt = known == nil ? nil : expiry.flatMap(Self.date)
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
        guard let id = userID, (1...Self.longestUserID).contains(id.utf8.count),
            id.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }),
            id.contains(where: { !$0.isWhitespace })
        else { return nil }
        let subject = (try? UnverifiedJWT(token.unredacted).claims)?.subject
        guard let subject else { return contract == .sessionToken ? id : nil }
        return subject.utf8.elementsEqual(id.utf8) ? id : nil
    }

    /// Reads seconds since 1970, or a date and time of RFC 3339; nil if the text is neither.
    private static func date(_ text: String) -> Date? {
        guard text.utf8.count <= longestExpiry else { return nil }
        let isNumber = text.utf8.allSatisfy { ASCIIText.isDigit($0) || $0 == 0x2E }
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
