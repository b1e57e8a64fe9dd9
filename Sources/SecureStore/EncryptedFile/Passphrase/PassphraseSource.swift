#if EncryptedFile
import AuthCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where a passphrase is read from.
enum PassphraseSource {
    /// Reads to the end, and leaves one newline there out.
    ///
    /// - Parameter descriptor: Where to read; stays open.
    /// - Returns: What was read; of more than a passphrase may have, so much that it is seen. Secret.
    /// - Throws: ``SecureStoreError`` (`denied`, `failed`).
    static func all(of descriptor: Int32) throws(SecureStoreError) -> SecretBytes {
        // Two more: the newline, and a byte that tells what is too long.
        var buffer = [UInt8](repeating: 0, count: Passphrase.maximumSize + 2)
        defer { Wiping.wipe(&buffer) }
        var count = try Descriptor.fill(&buffer, from: descriptor)
        if count > 0, buffer[count - 1] == UInt8(ascii: "\n") { count -= 1 }
        return SecretBytes(buffer[..<count])
    }

    /// The folder that systemd says it keeps this service's credentials in; nil where it says none.
    static var credentialsFolder: String? {
        unsafe getenv("CREDENTIALS_DIRECTORY").map { unsafe String(cString: $0) }
    }

    /// Reads the file of a credential.
    ///
    /// - Parameters:
    ///   - name: The credential's name. Not trusted: it must not lead elsewhere.
    ///   - folder: Where credentials are.
    /// - Returns: What it holds. Secret.
    /// - Throws: ``SecureStoreError`` (`invalidName`, `invalidPassphrase`, `denied`, `failed`).
    static func credential(_ name: String, in folder: String?) throws(SecureStoreError) -> SecretBytes {
        let name = try StoreName.checked(name)
        guard name != ".", name != ".." else { throw SecureStoreError(.invalidName) }
        guard let folder, folder.hasPrefix("/") else {
            throw SecureStoreError(.invalidPassphrase, detail: "no CREDENTIALS_DIRECTORY")
        }
        // Without waiting, should it be a pipe that nobody writes to.
        guard let file = try Descriptor("\(folder)/\(name)", O_RDONLY | O_NONBLOCK) else {
            throw SecureStoreError(.invalidPassphrase, detail: "no such credential")
        }
        guard try file.status().isFile else { throw SecureStoreError(.denied, detail: "not a file") }
        return try all(of: file.number)
    }
}
#endif
