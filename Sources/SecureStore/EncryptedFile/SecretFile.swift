// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import AuthCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files from which a passphrase or a key is read.
enum SecretFile {
    /// The folder with this service's credentials; nil if systemd did not set `CREDENTIALS_DIRECTORY`.
    static var credentialsFolder: String? {
        unsafe getenv("CREDENTIALS_DIRECTORY").map { unsafe String(cString: $0) }
    }

    /// Reads a credential of systemd.
    ///
    /// - Parameters:
    ///   - name: Not trusted: it must not lead outside the folder.
    ///   - droppingNewline: Whether one newline at the end is left out.
    /// - Throws: ``SecureStoreError`` (`invalidName`, `invalidPassphrase`, `denied`, `failed`).
    static func credential(
        _ name: String,
        in folder: String?,
        atMost size: Int,
        droppingNewline: Bool = false
    ) throws(SecureStoreError) -> SecretBytes {
        let name = try StoreKey(name).name
        guard name != ".", name != ".." else { throw SecureStoreError(.invalidName) }
        guard let folder, folder.hasPrefix("/") else {
            throw SecureStoreError(.invalidPassphrase, detail: "no CREDENTIALS_DIRECTORY")
        }
        guard let file = try open("\(folder)/\(name)") else {
            throw SecureStoreError(.invalidPassphrase, detail: "credential not found")
        }
        return try read(file, atMost: size, droppingNewline: droppingNewline)
    }

    /// Reads a file that only this user can read.
    ///
    /// - Throws: ``SecureStoreError`` (`invalidPassphrase`, `denied`, `failed`).
    static func privateFile(_ path: String, atMost size: Int) throws(SecureStoreError) -> SecretBytes {
        guard let file = try open(path) else {
            throw SecureStoreError(.invalidPassphrase, detail: "key file not found")
        }
        let status = try file.status()
        guard status.owner == geteuid() else { throw SecureStoreError(.denied, detail: "a file of another user") }
        guard status.mode & 0o077 == 0 else { throw SecureStoreError(.denied, detail: "a key file open to others") }
        return try read(file, atMost: size, droppingNewline: false)
    }

    private static func open(_ path: String) throws(SecureStoreError) -> Descriptor? {
        // Does not block: the path may be a pipe without a writer.
        guard let file = try Descriptor(path, O_RDONLY | O_NONBLOCK) else { return nil }
        guard try file.status().isFile else { throw SecureStoreError(.denied, detail: "not a file") }
        return file
    }

    private static func read(
        _ file: Descriptor,
        atMost size: Int,
        droppingNewline: Bool
    ) throws(SecureStoreError) -> SecretBytes {
        var buffer = [UInt8](repeating: 0, count: droppingNewline ? size + 1 : size)
        defer { Wiping.wipe(&buffer) }
        var count = try file.fill(&buffer)
        if droppingNewline, count > 0, buffer[count - 1] == UInt8(ascii: "\n") { count -= 1 }
        return SecretBytes(buffer[..<count])
    }
}

/// An overwrite that the compiler can't optimize away.
enum Wiping {
    static func wipe(_ bytes: inout [UInt8]) {
        // Safe: the buffer is written only within the call that lends it.
        unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            #if canImport(Darwin)
            _ = unsafe memset_s(start, buffer.count, 0, buffer.count)
            #else
            unsafe explicit_bzero(start, buffer.count)
            #endif
        }
    }
}
#endif
