// SPDX-License-Identifier: Apache-2.0

package import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that are redacted in text, for a store's items.
///
/// The bytes lie in memory that is overwritten when the last copy of the value is released. Copies are not overwritten:
/// neither ``unredacted`` nor the bytes that the value was made from.
public struct SecretBytes: Secret {
    /// The key storage of swift-crypto, which overwrites its memory on every platform.
    private let storage: SymmetricKey

    /// Wraps bytes of any content, NUL included.
    ///
    /// - Parameter bytes: The value. Secret.
    public init(_ bytes: some Sequence<UInt8>) {
        // Safe: the buffer is read within the call that lends it. Without this, a copy would stay in memory.
        let storage = bytes.withContiguousStorageIfAvailable { unsafe SymmetricKey(data: $0) }
        self.storage = storage ?? SymmetricKey(data: Array(bytes))
    }

    /// The raw bytes, copied out of the memory that is overwritten.
    ///
    /// Secret.
    public var unredacted: [UInt8] {
        // Safe: the buffer is read within the call that lends it.
        unsafe withUnsafeBytes { unsafe Array($0) }
    }

    /// The number of bytes, which is not secret.
    public var count: Int { storage.bitCount / 8 }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        // Safe: the buffers are read within the calls that lend them.
        unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { right in unsafe ConstantTime.equal(left, right) }
        }
    }

    /// The SHA-256 of the bytes.
    package var sha256: SHA256.Digest {
        var hash = SHA256()
        // Safe: the buffer is read within the call that lends it.
        unsafe withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        return hash.finalize()
    }

    /// Calls a closure with the bytes in place.
    ///
    /// - Parameter body: The closure. It must not keep the buffer, nor a copy of its contents.
    /// - Returns: The closure's result.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        unsafe try storage.withUnsafeBytes(body)
    }
}

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
