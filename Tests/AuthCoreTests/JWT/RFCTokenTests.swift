// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import Testing

@Suite struct RFCTokenTests {
    /// An example from a specification or its test suites, and the expected result.
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let comment: String
        let source: String
        let input: String
        /// The text `success`, or the name of a ``TokenFault``.
        let expect: String
        /// The part that has the fault.
        let part: String?
        let member: String?
        let header: [String: JSONValue]?
        let claims: [String: JSONValue]?

        var testDescription: String { "\(source): \(comment)" }
    }

    private static func vectors(where isIncluded: (Vector) -> Bool) throws -> [Vector] {
        let vectors = try (Vectors.load("rfc_tokens") as [Vector]).filter(isIncluded)
        try #require(!vectors.isEmpty)
        return vectors
    }

    static func tokens() throws -> [Vector] {
        try vectors { $0.expect == "success" }
    }

    static func others() throws -> [Vector] {
        try vectors { $0.expect != "success" }
    }

    private static func token(_ source: String) throws -> UnverifiedJWT {
        let vector = try #require(try tokens().first { $0.source.hasPrefix(source) })
        return try UnverifiedJWT(vector.input)
    }

    @Test(arguments: try tokens())
    func `a signed token is read completely`(vector: Vector) throws {
        let token = try UnverifiedJWT(vector.input)
        #expect(token.header.parameters == vector.header)
        #expect(token.claims.all == vector.claims)
    }

    @Test(arguments: try others())
    func `a text that is not a signed token is refused with the expected code`(vector: Vector) throws {
        let fault = try #require(TokenFault(rawValue: vector.expect))
        let part = try vector.part.map { try #require(TokenFault.Part(rawValue: $0)) }
        fault.expect(of: vector.input, in: part, member: vector.member)
    }

    @Test(arguments: [("A.1", "HS256"), ("A.2", "RS256"), ("A.3", "ES256"), ("A.5", "none")])
    func `the claims of RFC 7515's examples are read`(section: String, algorithm: String) throws {
        let token = try Self.token("RFC 7515, \(section)")
        #expect(token.header.algorithm == algorithm)
        #expect(token.claims.issuer == "joe")
        #expect(token.claims.expiration == Date(timeIntervalSince1970: 1_300_819_380))
        #expect(token.claims["http://example.com/is_root"] == .boolean(true))
        #expect(token.claims.audience.isEmpty)
    }

    @Test func `a DPoP proof is read, including the key in its header`() throws {
        let token = try Self.token("RFC 9449")
        #expect(token.header.type == "dpop+jwt")
        #expect(token.claims["jti"]?.string == "-BwC3ESc6acc2lTc")
        #expect(token.claims.issuedAt == Date(timeIntervalSince1970: 1_562_262_616))
        guard case .object(let key)? = token.header.parameters["jwk"] else {
            Issue.record("no key in the header")
            return
        }
        #expect(key["kty"] == .string("EC"))
    }
}
