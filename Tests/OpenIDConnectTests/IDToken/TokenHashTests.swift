// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OpenIDConnect

@Suite struct TokenHashTests {
    struct Vector: Decodable, Sendable {
        let source: String
        let alg: String
        let value: String
        let hash: String
    }

    @Test func `the hashes match the examples of the specification`() throws {
        for vector in try Vectors.read("rfc/oidc_half_hashes", as: [Vector].self) {
            let algorithm = try #require(SignatureAlgorithm(vector.alg))
            #expect(TokenHash.of(vector.value, with: algorithm) == vector.hash, "\(vector.source)")
        }
    }

    @Test(arguments: [("RS256", 22), ("PS384", 32), ("ES512", 43), ("EdDSA", 43)])
    func `the hash has half the length of the algorithm's hash`(name: String, length: Int) throws {
        #expect(TokenHash.of("a", with: try #require(SignatureAlgorithm(name))).count == length)
    }
}
