// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && os(Linux)
import CLinuxKeyring

/// Small secrets in the kernel's keyring of the user, in memory that is never swapped.
///
/// The kernel deletes each after a time without use, and all of them with the user's last process. Where it refuses
/// (the seccomp profile of a container, a full quota) there is no such secret, and no error.
///
/// [keyrings(7)](https://man7.org/linux/man-pages/man7/keyrings.7.html).
enum KernelKeyring {
    /// The time without use after which a secret is deleted, in seconds.
    private static let timeout: UInt = 900
    /// To view, read, write, find and expire it: for the user and for who holds the user's keyring, and nobody else.
    private static let permissions: UInt = 0x2F2F_0000

    /// Returns a secret of exactly that size, which the caller wipes, and starts its time again.
    static func read(_ name: String, size: Int) -> [UInt8]? {
        let key = unsafe sallyport_key_search(name)
        guard key > 0 else { return nil }
        var payload = [UInt8](repeating: 0, count: size)
        // Safe: the kernel writes at most `size` bytes, and only within the call that lends the buffer.
        let count = unsafe payload.withUnsafeMutableBytes { unsafe sallyport_key_read(key, $0.baseAddress, $0.count) }
        guard count == size, sallyport_key_set_timeout(key, timeout) == 0 else {
            Wiping.wipe(&payload)
            return nil
        }
        return payload
    }

    /// Keeps a secret, in place of one of the same name.
    static func keep(_ payload: [UInt8], as name: String) {
        // Safe: the kernel reads the buffer only within the call that lends it.
        let key = unsafe payload.withUnsafeBytes { unsafe sallyport_key_add(name, $0.baseAddress, $0.count) }
        guard key > 0 else { return }
        // Without a time limit it would stay as long as the user has a process.
        if sallyport_key_set_permissions(key, permissions) != 0 || sallyport_key_set_timeout(key, timeout) != 0 {
            _ = sallyport_key_unlink(key)
        }
    }

    static func remove(_ name: String) {
        let key = unsafe sallyport_key_search(name)
        if key > 0 { _ = sallyport_key_unlink(key) }
    }
}
#elseif EncryptedFile
/// The keyring of a kernel that has none: nothing is kept.
enum KernelKeyring {
    static func read(_ name: String, size: Int) -> [UInt8]? { nil }
    static func keep(_ payload: [UInt8], as name: String) {}
    static func remove(_ name: String) {}
}
#endif
