// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct ConstantTimeTests {
    @Test(arguments: [[], [0], [255], [1, 2, 3], Array(UInt8.min...UInt8.max)] as [[UInt8]])
    func `the same bytes are equal`(bytes: [UInt8]) {
        #expect(ConstantTime.equal(bytes, Array(bytes)))
    }

    @Test func `bytes that differ in one bit are unequal`() {
        let bytes = Array(UInt8(100)...UInt8(131))
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << UInt8(bit)
                #expect(!ConstantTime.equal(bytes, other))
            }
        }
    }

    /// Differences that would cancel each other out in a sum or in a single exclusive or.
    @Test(arguments: [([1, 2], [2, 1]), ([0, 0], [255, 255]), ([5, 5], [7, 7])] as [([UInt8], [UInt8])])
    func `differences do not cancel out`(left: [UInt8], right: [UInt8]) {
        #expect(!ConstantTime.equal(left, right))
    }

    @Test(arguments: [([], [0]), ([1], [1, 0]), ([1, 2, 3], [1, 2])] as [([UInt8], [UInt8])])
    func `bytes of different lengths are unequal`(left: [UInt8], right: [UInt8]) {
        #expect(!ConstantTime.equal(left, right))
        #expect(!ConstantTime.equal(right, left))
    }
}
