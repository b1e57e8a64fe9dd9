// SPDX-License-Identifier: Apache-2.0

/// A comparison whose time does not depend on the position of the first difference.
package enum ConstantTime {
    /// Whether both hold the same bytes.
    ///
    /// The time depends on the lengths, never on the content.
    package static func equal(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(left, right) {
            difference |= a ^ b
        }
        return difference == 0
    }
}
