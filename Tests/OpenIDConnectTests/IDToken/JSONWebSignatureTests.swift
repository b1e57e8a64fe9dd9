// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import Testing

@testable import OpenIDConnect

/// Returns whether a token is signed with one key, which is looked up in a key set of its own, as a provider's is.
private func isSigned(_ compact: String, by jwk: [String: JSONValue]) throws -> Bool {
    let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, !compact.contains("{"),
        let header = Base64URL.decode(parts[0].utf8).flatMap({ ProviderDocument($0) }),
        Base64URL.decode(parts[1].utf8) != nil, header["crit"] == nil,
        let algorithm = try header.text("alg").flatMap({ SignatureAlgorithm($0) }),
        let set = JSONWebKeySet(Array(try JSONEncoder().encode(["keys": [jwk]])))
    else { return false }
    let keys = set.candidates(for: algorithm, id: try header.text("kid"))
    guard let key = keys.first else { return false }
    return JSONWebSignature.isValid(compact, by: key, with: algorithm)
}

/// Attacks on libraries that verify signatures.
@Suite struct WycheproofSignatureTests {
    struct File: Decodable, Sendable {
        struct Group: Decodable, Sendable {
            let `public`: [String: JSONValue]?
            let `private`: [String: JSONValue]?
            let comment: String
            let tests: [Case]
        }

        struct Case: Decodable, Sendable {
            let tcId: Int
            let comment: String
            let jws: String
            let result: String
        }

        let testGroups: [Group]
    }

    private static func algorithm(of compact: String) -> String? {
        let header = compact.split(separator: ".", omittingEmptySubsequences: false)[0]
        return Base64URL.decode(header.utf8).flatMap { ProviderDocument($0) }?["alg"]?.string
    }

    @Test func `every vector has its expected result, and a shared secret is never a key`() throws {
        let file = try Vectors.read("wycheproof/json_web_signature_test", as: File.self)
        var accepted = 0
        for group in file.testGroups {
            let key = group.public ?? group.private ?? [:]
            for test in group.tests {
                // A key can be ruled out whatever the signature is: it is a shared secret, or for another algorithm
                // than the token's; "ES521" doesn't exist.
                let isRuledOut = key["kty"]?.string == "oct" || key["alg"]?.string != Self.algorithm(of: test.jws)
                let isAccepted = try isSigned(test.jws, by: key)
                let expected = test.result == "valid" && !isRuledOut
                #expect(isAccepted == expected, "\(test.tcId) \(group.comment): \(test.comment)")
                if isAccepted { accepted += 1 }
            }
        }
        #expect(accepted > 30)
    }
}

@Suite struct RFCSignatureTests {
    struct Example: Decodable, Sendable, CustomTestStringConvertible {
        let source: String
        let alg: String
        let jwk: [String: JSONValue]?
        let jws: String
        let valid: Bool

        var testDescription: String { source }
    }

    @Test func `the RFCs' examples are accepted, except the unsecured and HS256 ones`() throws {
        for example in try Vectors.read("rfc/jws_examples", as: [Example].self) {
            let isAccepted = try isSigned(example.jws, by: example.jwk ?? [:])
            #expect(isAccepted == (example.valid && example.alg != "HS256"), "\(example.source)")
        }
    }

    @Test func `a signature of another length and a point off the curve are refused`() throws {
        let example = try #require(
            try Vectors.read("rfc/jws_examples", as: [Example].self).first { $0.alg == "ES256" && $0.valid }
        )
        var jwk = try #require(example.jwk)
        let border = try #require(example.jws.lastIndex(of: "."))
        let signature = try #require(Base64URL.decode(example.jws[example.jws.index(after: border)...].utf8))
        let zero: [UInt8] = [0]
        let (r, s) = (signature.prefix(32), signature.suffix(32))
        for other in [[], signature.dropLast(), signature + zero, zero + r + zero + s] {
            #expect(try !isSigned("\(example.jws[...border])\(Base64URL.encode(other))", by: jwk), "\(other.count)")
        }
        (jwk["x"], jwk["y"]) = (jwk["y"], jwk["x"])
        #expect(try !isSigned(example.jws, by: jwk))
    }

    @Test func `a changed byte in the signature or the text is detected`() throws {
        for example in try Vectors.read("rfc/jws_examples", as: [Example].self) where example.alg == "ES256" {
            let jwk = try #require(example.jwk)
            let border = try #require(example.jws.lastIndex(of: "."))
            for offset in stride(from: 1, to: example.jws.utf8.count, by: 7) {
                let index = example.jws.index(example.jws.startIndex, offsetBy: offset)
                guard index != border, example.jws[index] != "." else { continue }
                let other = example.jws[index] == "A" ? "B" : "A"
                let changed = example.jws.replacingCharacters(in: index...index, with: other)
                #expect(try !isSigned(changed, by: jwk), "at \(offset)")
            }
        }
    }
}
