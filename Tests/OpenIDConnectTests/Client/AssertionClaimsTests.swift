// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@testable import OpenIDConnect

/// [RFC 7523, 3](https://www.rfc-editor.org/rfc/rfc7523#section-3).
@Suite struct AssertionClaimsTests {
    private static func members(_ claims: AssertionClaims) -> [String: JSONValue] {
        claims.members(audience: "https://op.example", issuedAt: 1_800_000_000)
    }

    @Test func `the claims name the signer, the subject, the audience and the times`() {
        let claims = AssertionClaims(issuer: "robot", subject: "u1", additionalClaims: ["scope": .string("a b")])
        let expected: [String: JSONValue] = [
            "iss": .string("robot"), "sub": .string("u1"), "aud": .string("https://op.example"),
            "iat": .integer(1_800_000_000), "exp": .integer(1_800_000_300), "scope": .string("a b"),
        ]
        #expect(Self.members(claims) == expected)
    }

    @Test func `the app's audience takes the place of the key's, and a missing subject is not sent`() {
        let members = Self.members(AssertionClaims(issuer: "robot", audience: "https://other.example"))
        #expect(members["aud"] == .string("https://other.example"))
        #expect(members["sub"] == nil)
    }

    @Test(
        arguments: [(-5, 1), (0, 1), (60, 60), (3_600, 3_600), (3_601, 3_600), (Int64.max, 3_600)] as [(Int64, Int64)]
    )
    func `a lifetime is from one second to one hour`(seconds: Int64, expected: Int64) {
        let members = Self.members(AssertionClaims(issuer: "robot", lifetime: .seconds(seconds)))
        #expect(members["exp"] == .integer(1_800_000_000 + expected))
    }

    /// One character, two texts.
    @Test func `claims are compared byte for byte`() {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        func all(_ text: String) -> [AssertionClaims] {
            [
                AssertionClaims(issuer: text), AssertionClaims(issuer: "robot", subject: text),
                AssertionClaims(issuer: "robot", audience: text),
                AssertionClaims(issuer: "robot", additionalClaims: ["a": .string(text)]),
                AssertionClaims(issuer: "robot", additionalClaims: [text: .integer(1)]),
                AssertionClaims(issuer: "robot", additionalClaims: ["a": .array([.object(["b": .string(text)])])]),
            ]
        }
        #expect(Set(all(composed) + all(decomposed)).count == 12)
        #expect(all(composed) == all(composed))
        let claims = AssertionClaims(issuer: "robot", additionalClaims: ["a": .integer(1), "b": .array([.null])])
        #expect(claims != AssertionClaims(issuer: "robot", additionalClaims: ["a": .integer(1)]))
        #expect(claims != AssertionClaims(issuer: "robot", additionalClaims: ["a": .integer(1), "b": .array([])]))
        #expect(AssertionClaims(issuer: "robot") != AssertionClaims(issuer: "robot", lifetime: .seconds(60)))
    }

    @Test(arguments: ["iss", "sub", "aud", "iat", "exp", "jti"])
    func `an additional claim can't replace one that the library makes`(name: String) async throws {
        let forged = JSONValue.integer(9_999_999_999)
        let claims = Self.members(AssertionClaims(issuer: "robot", additionalClaims: [name: forged]))
        let token = try await ClientAssertionKey(pem: ClientKeys.sec1).jwt(of: claims)
        #expect(try UnverifiedJWT(token).claims[name] != forged)
    }
}
