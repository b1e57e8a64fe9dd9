#if Keyring && canImport(CSecretService)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file of gnome-keyring, looked at for one thing: whether it is encrypted.
enum KeyringFile {
    /// Whether a keyring lies in clear on the disk, as one without a password does.
    ///
    /// - Parameters:
    ///   - collection: The keyring's object path.
    ///   - folder: Where gnome-keyring keeps its files.
    /// - Returns: True only where the file is there and begins as a file in clear does.
    static func isInClear(_ collection: ObjectPath, in folder: String) -> Bool {
        guard let name = name(of: collection) else { return false }
        let descriptor = unsafe open("\(folder)/\(name).keyring", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // An encrypted one begins with "GnomeKeyring".
        let mark = Array("[keyring]".utf8)
        var start = [UInt8](repeating: 0, count: mark.count)
        let count = unsafe start.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return count == mark.count && start == mark
    }

    /// The file's name: the last part of the path, in which every byte that may not stand there is `_` and two digits.
    private static func name(of collection: ObjectPath) -> String? {
        guard let last = collection.text.split(separator: "/").last else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(last.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "_") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        // Nothing that leads out of the folder.
        let name = String(decoding: bytes, as: UTF8.self)
        return name.contains("/") || name.contains("\0") ? nil : name
    }
}
#endif
