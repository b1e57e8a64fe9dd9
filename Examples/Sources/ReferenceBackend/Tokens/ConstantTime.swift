internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Comparisons that take as long for a near miss as for a far one.
enum ConstantTime {
    /// Whether two byte strings are equal; their digests are compared, so that not even a length shows.
    static func equal(_ left: Data, _ right: Data) -> Bool {
        SHA256.hash(data: left) == SHA256.hash(data: right)
    }

    /// Whether two strings have the same UTF-8 bytes.
    static func equal(_ left: String, _ right: String) -> Bool {
        equal(Data(left.utf8), Data(right.utf8))
    }
}
