// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The store errors for an `errno` of the file system.
enum SystemError {
    static func error(_ number: Int32, in step: StaticString) -> SecureStoreError {
        let detail = "\(step), errno \(number)"
        return switch number {
        case EACCES, EPERM, EROFS, ELOOP: SecureStoreError(.denied, detail: detail)
        case ENOSPC, EDQUOT, EFBIG: SecureStoreError(.full, detail: detail)
        default: SecureStoreError(.failed, detail: detail)
        }
    }
}
