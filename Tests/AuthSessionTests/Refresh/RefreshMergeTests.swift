// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@testable import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The merge of a response into the session that was refreshed, as a value.
struct RefreshMergeTests {
    private static let lifetime = TokenLifetime(issuedAt: nil, expiresAt: nil)

    private static func tokens(_ number: Int) throws -> TokenSet {
        TokenSet(
            accessToken: try AccessToken("access-\(number)"),
            lifetime: lifetime,
            refreshToken: try RefreshToken("refresh-\(number)")
        )
    }

    private static let reading = ClockReading(date: Date(timeIntervalSince1970: 0), uptime: .zero)

    private static func old() throws -> CurrentSession {
        let record = SessionRecord(
            tokenGeneration: 1,
            tokens: try tokens(1),
            user: nil,
            authority: AuthorityRecord(id: AuthorityID(kind: "test", server: "https://a.example")),
            signIn: "s-1"
        )
        return CurrentSession(
            record: record,
            deadline: TokenDeadline(lifetime, at: reading, window: .shortLivedToken, early: 0),
            isRemembered: true,
            begunAt: .zero,
            isReplay: true
        )
    }

    /// Returns the session that is refreshed, with a user of a name and with an ID token.
    private static func session(of name: String) throws -> CurrentSession {
        var session = try old()
        session.record.user = SessionUser(id: "u1", name: name)
        session.record.tokens.idToken = try IDToken("a.b.\(name)")
        return session
    }

    @Test func `a refresh ends the replay, and notes when it was repeated`() throws {
        let new = try Self.old().refreshed(try Self.tokens(2), latest: nil, repeatedAt: Self.reading)
        #expect(new.record.tokens == (try Self.tokens(2)))
        #expect(new.begunAt == nil && !new.isReplay && new.repeatedAt == .zero)
    }

    @Test(arguments: [2, nil]) func `an access token that stays is known as before`(number: Int?) throws {
        let refreshToken = try number.map { try RefreshToken("refresh-\($0)") }
        let new = try Self.old().refreshed(refreshToken, latest: nil, repeatedAt: Self.reading)
        #expect(new.record.tokens.accessToken == (try Self.tokens(1)).accessToken)
        #expect(new.record.tokens.refreshToken == (try Self.tokens(number ?? 1)).refreshToken)
        #expect(new.record.tokenGeneration == 2)
    }

    @Test(arguments: ["new", nil])
    func `user and ID token are those of the session as it is now, or else stay`(name: String?) throws {
        let (old, latest) = (try Self.session(of: "old"), try name.map { try Self.session(of: $0) })
        let response = try Self.tokens(2)
        for new in [
            old.refreshed(response, latest: latest, repeatedAt: nil),
            old.refreshed(response.refreshToken, latest: latest, repeatedAt: nil),
        ] {
            #expect(new.record.user == (latest ?? old).record.user)
            #expect(new.record.tokens.idToken == (latest ?? old).record.tokens.idToken)
            #expect(new.record.tokens.refreshToken == response.refreshToken)
        }
    }
}
