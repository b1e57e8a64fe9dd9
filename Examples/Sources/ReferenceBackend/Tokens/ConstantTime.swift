// SPDX-License-Identifier: Apache-2.0

internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Comparisons whose duration doesn't depend on the number of matching bytes.
enum ConstantTime {
    /// Returns whether two byte strings are equal; compares digests, so that not even a length is revealed.
    static func equal(_ left: Data, _ right: Data) -> Bool {
        SHA256.hash(data: left) == SHA256.hash(data: right)
    }

    /// Returns whether two strings have the same UTF-8 bytes.
    static func equal(_ left: String, _ right: String) -> Bool {
        equal(Data(left.utf8), Data(right.utf8))
    }
}
