// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin

/// The overwriting of secret bytes.
enum Wiping {
    /// Overwrites bytes, which the compiler can't leave out although nothing reads them again.
    static func wipe(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            _ = unsafe memset_s(start, bytes.count, 0, bytes.count)
        }
    }
}
#elseif canImport(Glibc)
import Glibc

/// The overwriting of secret bytes.
enum Wiping {
    /// Overwrites bytes, which the compiler can't leave out although nothing reads them again.
    static func wipe(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe explicit_bzero(start, bytes.count)
        }
    }
}
#endif
