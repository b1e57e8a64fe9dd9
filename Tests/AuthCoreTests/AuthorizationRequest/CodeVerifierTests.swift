// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

/// [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636).
@Suite struct CodeVerifierTests {
    private struct Vector: Decodable {
        let code_verifier: String
        let code_challenge: String
        let method: String
        let verifier_octets: [UInt8]
    }

    @Test func `the challenge matches RFC 7636, appendix B`() throws {
        let vectors: [Vector] = try Vectors.load("pkce")
        for vector in vectors {
            #expect(vector.method == "S256")
            #expect(Base64URL.encode(vector.verifier_octets) == vector.code_verifier)
            #expect(try CodeVerifier(vector.code_verifier).codeChallenge == vector.code_challenge)
        }
    }

    @Test func `a new verifier has 43 unreserved characters and can be parsed again`() throws {
        let verifier = CodeVerifier()
        #expect(verifier.unredacted.utf8.count == 43)
        #expect(Base64URL.decode(verifier.unredacted.utf8)?.count == 32)
        #expect(try CodeVerifier(verifier.unredacted) == verifier)
    }

    @Test func `two verifiers and their challenges differ`() {
        let verifiers = (0..<64).map { _ in CodeVerifier() }
        #expect(Set(verifiers.map(\.unredacted)).count == verifiers.count)
        #expect(Set(verifiers.map(\.codeChallenge)).count == verifiers.count)
    }

    @Test(arguments: [43, 44, 127, 128])
    func `lengths from 43 to 128 are accepted`(length: Int) throws {
        let text = String(repeating: "~", count: length)
        #expect(try CodeVerifier(text).unredacted == text)
    }

    @Test(
        arguments: [
            ("", .tooShort), (String(repeating: "a", count: 42), .tooShort),
            (String(repeating: "a", count: 129), .tooLong),
            (String(repeating: "a", count: 43) + "+", .invalidCharacter),
            (String(repeating: "a", count: 43) + "=", .invalidCharacter),
            (String(repeating: "a", count: 43) + " ", .invalidCharacter),
            (String(repeating: "a", count: 43) + "\u{E9}", .invalidCharacter),
        ] as [(String, TokenFormatError.Code)]
    )
    func `a text that RFC 7636, 4.1 does not allow is refused`(text: String, code: TokenFormatError.Code) {
        let error = #expect(throws: TokenFormatError.self) { try CodeVerifier(text) }
        #expect(error?.code == code)
    }
}
