// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@testable import OpenIDConnect

/// The requirements for keys.
///
/// [RFC 7518, 3.3](https://www.rfc-editor.org/rfc/rfc7518#section-3.3) and
/// [6](https://www.rfc-editor.org/rfc/rfc7518#section-6).
@Suite struct JSONWebKeyTests {
    private static func isAccepted(modulus: [UInt8], exponent: [UInt8] = [1, 0, 1]) -> Bool {
        let members = ["kty": "RSA", "n": Base64URL.encode(modulus), "e": Base64URL.encode(exponent)]
        return JSONWebKey(members.mapValues { .string($0) }) != nil
    }

    /// Returns an odd number of a given bit length, after a number of zero bytes.
    private static func modulus(bits: Int, zeros: Int = 0) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xFF, count: (bits + 7) / 8)
        bytes[0] = UInt8(truncatingIfNeeded: 0xFF >> (bytes.count * 8 - bits))
        return [UInt8](repeating: 0, count: zeros) + bytes
    }

    @Test(arguments: [2_048, 2_049, 3_072, 16_384], [0, 1])
    func `a modulus of 2,048 to 16,384 bits is accepted`(bits: Int, zeros: Int) {
        #expect(Self.isAccepted(modulus: Self.modulus(bits: bits, zeros: zeros)))
    }

    @Test(arguments: [8, 1_024, 2_047, 16_385], [0, 1, 300])
    func `another modulus is refused, even with leading zeros`(bits: Int, zeros: Int) {
        #expect(!Self.isAccepted(modulus: Self.modulus(bits: bits, zeros: zeros)))
    }

    @Test(arguments: [[3], [0, 3], [1, 0, 1], [1, 0, 0, 0, 0, 0, 0, 1]] as [[UInt8]])
    func `an odd exponent of at least 3 is accepted`(exponent: [UInt8]) {
        #expect(Self.isAccepted(modulus: Self.modulus(bits: 2_048), exponent: exponent))
    }

    @Test(arguments: [[], [0], [1], [0, 1], [2], [1, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 1]] as [[UInt8]])
    func `another exponent is refused`(exponent: [UInt8]) {
        #expect(!Self.isAccepted(modulus: Self.modulus(bits: 2_048), exponent: exponent))
    }

    @Test(arguments: [("P-192", 24), ("secp160r1", 20)])
    func `a key on a curve of fewer than 224 bits is refused`(curve: String, size: Int) {
        let coordinate = JSONValue.string(Base64URL.encode([UInt8](repeating: 1, count: size)))
        #expect(JSONWebKey(["kty": .string("EC"), "crv": .string(curve), "x": coordinate, "y": coordinate]) == nil)
    }
}
