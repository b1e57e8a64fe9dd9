// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import Testing

/// [RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6).
@Suite struct TokenSetTests {
    private static func set(
        _ name: String,
        refreshToken: String? = nil,
        idToken: String? = nil,
        scope: Scope? = nil
    ) throws -> TokenSet {
        TokenSet(
            accessToken: try AccessToken(name),
            lifetime: TokenLifetime(expiresIn: name.count, from: Date(timeIntervalSince1970: 0)),
            refreshToken: try refreshToken.map { try RefreshToken($0) },
            idToken: try idToken.map { try IDToken($0) },
            scope: scope
        )
    }

    @Test func `a member that a refresh omits is kept`() throws {
        let old = try Self.set("old", refreshToken: "r1", idToken: "i1", scope: "openid")
        let answer = try Self.set("newer")
        #expect(try old.merging(answer) == Self.set("newer", refreshToken: "r1", idToken: "i1", scope: "openid"))
    }

    @Test func `a member that a refresh returns replaces the old one`() throws {
        let old = try Self.set("old", refreshToken: "r1", idToken: "i1", scope: "openid email")
        let answer = try Self.set("newer", refreshToken: "r2", idToken: "i2", scope: "openid")
        #expect(old.merging(answer) == answer)
    }

    @Test func `the old lifetime is replaced, even if the response has no expiry`() throws {
        let old = try Self.set("old")
        var answer = try Self.set("newer")
        answer.lifetime = TokenLifetime(expiresIn: nil, from: Date(timeIntervalSince1970: 5))
        #expect(old.merging(answer).lifetime == answer.lifetime)
    }

    @Test func `a member that is absent in both token sets stays absent`() throws {
        let merged = try Self.set("old").merging(Self.set("newer"))
        #expect(merged.refreshToken == nil)
        #expect(merged.idToken == nil)
        #expect(merged.scope == nil)
    }
}
