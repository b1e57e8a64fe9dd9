// SPDX-License-Identifier: Apache-2.0

/// Error-correction codewords: polynomials over the field of 256 elements (7.5.2).
enum ReedSolomon {
    /// Returns the remainder of a block divided by the generator of a degree.
    static func remainder(of block: [UInt8], count: Int) -> [UInt8] {
        let generator = generator(degree: count)
        var rest = [UInt8](repeating: 0, count: count)
        for codeword in block {
            let factor = codeword ^ rest.removeFirst()
            rest.append(0)
            for index in rest.indices { rest[index] ^= product(generator[index], factor) }
        }
        return rest
    }

    /// Returns the product of x - 2^i for each i below the degree, without its leading 1 (annex A).
    private static func generator(degree: Int) -> [UInt8] {
        var coefficients: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            // Multiplies by x minus the root. Subtraction equals addition in this field.
            let shifted = coefficients + [0]
            let scaled = [0] + coefficients.map { product($0, root) }
            coefficients = zip(shifted, scaled).map { $0 ^ $1 }
            root = product(root, 2)
        }
        return Array(coefficients.dropFirst())
    }

    /// Returns the product of two elements modulo the field's polynomial x^8 + x^4 + x^3 + x^2 + 1.
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (sum, term, rest) = (0, Int(left), right)
        while rest > 0 {
            if rest & 1 == 1 { sum ^= term }
            term <<= 1
            if term > 0xff { term ^= 0x11d }
            rest >>= 1
        }
        return UInt8(sum)
    }
}
