// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Darwin)
import Darwin

/// An overwrite that the compiler can't optimize away.
enum Wiping {
    static func wipe(_ bytes: inout [UInt8]) {
        // Safe: the buffer is written only within the call that lends it.
        _ = unsafe bytes.withUnsafeMutableBytes { unsafe memset_s($0.baseAddress, $0.count, 0, $0.count) }
    }
}
#elseif EncryptedFile
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An overwrite that the compiler can't optimize away.
enum Wiping {
    static func wipe(_ bytes: inout [UInt8]) {
        // Safe: the buffer is written only within the call that lends it.
        unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            unsafe explicit_bzero(start, buffer.count)
        }
    }
}
#endif
