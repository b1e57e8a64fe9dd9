import Testing

@testable import OpenIDConnect

@Suite struct TokenHashTests {
    struct Vector: Decodable, Sendable {
        let source: String
        let alg: String
        let value: String
        let hash: String
    }

    @Test func `the examples of the specification come out`() throws {
        for vector in try Vectors.read("rfc/oidc_half_hashes", as: [Vector].self) {
            let algorithm = try #require(SignatureAlgorithm(vector.alg))
            #expect(TokenHash.of(vector.value, with: algorithm) == vector.hash, "\(vector.source)")
        }
    }

    @Test(arguments: [("RS256", 22), ("PS384", 32), ("ES512", 43), ("EdDSA", 43)])
    func `the hash is the algorithm's own`(name: String, length: Int) throws {
        #expect(TokenHash.of("a", with: try #require(SignatureAlgorithm(name))).count == length)
    }
}
