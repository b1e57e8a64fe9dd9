// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct Base64URLTests {
    private struct Vector: Decodable {
        let source: String
        let text: String?
        let octets: [UInt8]?
        let encoded: String

        var bytes: [UInt8] { octets ?? Array((text ?? "").utf8) }
    }

    @Test func `bytes are encoded as in the RFCs' test vectors`() throws {
        let vectors: [Vector] = try Vectors.load("base64url")
        for vector in vectors {
            #expect(Base64URL.encode(vector.bytes) == vector.encoded, "\(vector.source)")
        }
    }

    @Test func `text is decoded as in the RFCs' test vectors`() throws {
        let vectors: [Vector] = try Vectors.load("base64url")
        for vector in vectors {
            #expect(Base64URL.decode(vector.encoded.utf8) == vector.bytes, "\(vector.source)")
        }
    }

    @Test(arguments: 0...67)
    func `bytes of any length survive encoding and decoding`(length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 251) }
        #expect(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes)
    }

    @Test(arguments: [
        "Zg==", "Zg=", "Zm8=", "Zm9v====", "A+z/4ME", "Zm9v Zg", " Zm9v", "Zm9v\n", "Zm9v\r\n", "Zm\u{0}v", "Zm9v.",
        "Zm,v",
        "Zm9\u{E9}", "Z", "Zm9vY",
    ])
    func `a text that is not unpadded base64url is refused`(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test(arguments: ["Zh", "Zi", "Zo", "Zv", "Zm9", "Zm-", "Zm_", "AB", "A-z_4MF"])
    func `non-zero trailing bits are refused, so that a value has one encoding`(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }
}
