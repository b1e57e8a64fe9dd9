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

    private static func merge() throws -> RefreshMerge {
        var record = SessionRecord(
            tokenGeneration: 1,
            tokens: try tokens(1),
            user: nil,
            authority: AuthorityRecord(id: AuthorityID(kind: "test", server: "https://a.example")),
            signIn: "s-1"
        )
        record.supportsValidation = false
        record.hasMixedTargets = true
        let reading = ClockReading(date: Date(timeIntervalSince1970: 0), uptime: .zero)
        let old = CurrentSession(
            record: record,
            deadline: TokenDeadline(lifetime, at: reading, window: .shortLivedToken, early: 0),
            isRemembered: true,
            begunAt: .zero,
            isReplay: true
        )
        return RefreshMerge(old: old, latest: nil, repeatedAt: reading)
    }

    /// Returns the session that is refreshed, with a user of a name and with an ID token.
    private static func session(of name: String) throws -> CurrentSession {
        var session = try merge().old
        session.record.user = SessionUser(id: "u1", name: name)
        session.record.tokens.idToken = try IDToken("a.b.\(name)")
        return session
    }

    @Test func `another access token may be validated although the old one could not be`() throws {
        let new = try Self.merge().session(with: try Self.tokens(2))
        #expect(new.record.tokens == (try Self.tokens(2)))
        #expect(new.record.supportsValidation == nil)
        #expect(new.begunAt == nil && !new.isReplay && new.repeatedAt == .zero)
    }

    @Test(arguments: [2, nil]) func `an access token that stays is known as before`(number: Int?) throws {
        let refreshToken = try number.map { try RefreshToken("refresh-\($0)") }
        let new = try Self.merge().session(with: refreshToken)
        #expect(new.record.tokens.accessToken == (try Self.tokens(1)).accessToken)
        #expect(new.record.tokens.refreshToken == (try Self.tokens(number ?? 1)).refreshToken)
        #expect(new.record.supportsValidation == false)
        #expect(!new.record.hasMixedTargets && new.record.tokenGeneration == 2)
    }

    @Test(arguments: ["new", nil])
    func `user and ID token are those of the session as it is now, or else stay`(name: String?) throws {
        let (old, latest) = (try Self.session(of: "old"), try name.map { try Self.session(of: $0) })
        let (merge, response) = (RefreshMerge(old: old, latest: latest, repeatedAt: nil), try Self.tokens(2))
        for new in [merge.session(with: response), merge.session(with: response.refreshToken)] {
            #expect(new.record.user == (latest ?? old).record.user)
            #expect(new.record.tokens.idToken == (latest ?? old).record.tokens.idToken)
            #expect(new.record.tokens.refreshToken == response.refreshToken)
        }
    }
}
