// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AuthSession
public import SecureStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The registration of a program as the one that opens an app's addresses, for this user.
///
/// It is a desktop entry in `$XDG_DATA_HOME/applications` and a line in `$XDG_CONFIG_HOME/mimeapps.list`. The system
/// then starts the program with the address as its last argument. Pass the address to
/// ``PrivateUseScheme/deliver(_:)``. Every user of the machine can read a program's arguments while it runs: the code in
/// the address is worthless without the code verifier, which is in the store.
public struct SchemeHandler: Sendable, Hashable {
    /// The greatest size of a file that is changed, in bytes.
    private static let maximumSize = 1_048_576
    /// The maximum number of attempts if other programs change the file meanwhile.
    private static let attempts = 3

    private let scheme: PrivateUseScheme
    private let entry: DesktopEntry

    /// Describes a registration, and changes nothing yet.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - appName: The app's name, for the browser's question whether to open it.
    ///   - program: The program's absolute path; nil for the program that runs. On a machine without a desktop,
    ///     `xdg-open` can't start a program whose path contains a space or another character that must be quoted.
    ///   - arguments: The program's arguments before the address. Not secret: they are written to a file.
    /// - Throws: `SecureStoreError` (`invalidName` if the path is relative or contains `=`, or if a text is empty or
    ///   contains a control character; `denied` if the system doesn't tell the program that runs).
    public init(
        _ scheme: PrivateUseScheme,
        appName: String,
        program: String? = nil,
        arguments: [String] = ["callback"]
    ) throws(SecureStoreError) {
        guard let program = program ?? Self.runningProgram else {
            throw SecureStoreError(.denied, detail: "the program's path")
        }
        self.scheme = scheme
        entry = try DesktopEntry(name: appName, command: [program] + arguments, mimeType: scheme.mimeType)
    }

    /// Registers the program, if it isn't registered yet in the same way.
    ///
    /// Each file is replaced atomically and never written through a link; other lines of `mimeapps.list` stay.
    ///
    /// - Returns: Whether anything was changed.
    /// - Throws: `SecureStoreError` (`denied` if the user has no home folder, the folder is read-only, or the file or
    ///   folder is a link, another user's or writable by everybody; `damaged` if `mimeapps.list` is larger than 1 MiB;
    ///   `busy` if another program keeps writing it; `full`; `failed`).
    @discardableResult
    public func register() throws(SecureStoreError) -> Bool {
        let file = try Self.entryFile(of: scheme)
        let text = Array(entry.text.utf8)
        let isNew = try Self.content(of: file) != text
        if isNew { try file.replace(with: text) }
        let isNewDefault = try Self.changeAssociations { [scheme] in
            $0.setDefault(Self.entryName(of: scheme), for: scheme.mimeType)
        }
        return isNew || isNewDefault
    }

    /// Removes the registration of a scheme, if there is one.
    ///
    /// - Parameter scheme: The scheme.
    /// - Throws: `SecureStoreError`, as ``register()``.
    public static func unregister(_ scheme: PrivateUseScheme) throws(SecureStoreError) {
        try changeAssociations { $0.removeDefault(entryName(of: scheme), for: scheme.mimeType) }
        try entryFile(of: scheme).remove()
    }

    /// Returns whether a program is registered for a scheme, by this type.
    ///
    /// - Parameter scheme: The scheme.
    /// - Returns: Whether the desktop entry exists and is the default. False if the files can't be read.
    public static func isRegistered(_ scheme: PrivateUseScheme) -> Bool {
        do throws(SecureStoreError) {
            guard try content(of: entryFile(of: scheme)) != nil else { return false }
            let bytes = try content(of: associationsFile())
            var changed = MIMEAssociations(bytes ?? [])
            let before = changed
            changed.removeDefault(entryName(of: scheme), for: scheme.mimeType)
            return changed != before
        } catch {
            return false
        }
    }

    /// Changes the default programs, and returns whether the change made a difference.
    @discardableResult
    private static func changeAssociations(
        _ change: (inout MIMEAssociations) -> Void
    ) throws(SecureStoreError) -> Bool {
        let file = try associationsFile()
        for _ in 0..<attempts {
            let bytes = try content(of: file)
            var associations = MIMEAssociations(bytes ?? [])
            let before = associations
            change(&associations)
            guard associations != before else { return false }
            if try file.replace(with: associations.bytes, ifUnchangedFrom: bytes) { return true }
        }
        throw SecureStoreError(.busy, detail: "mimeapps.list")
    }

    private static func content(of file: ConfigurationFile) throws(SecureStoreError) -> [UInt8]? {
        try file.read(atMost: maximumSize)
    }

    private static func associationsFile() throws(SecureStoreError) -> ConfigurationFile {
        ConfigurationFile("mimeapps.list", in: try DesktopFolder.configuration())
    }

    private static func entryFile(of scheme: PrivateUseScheme) throws(SecureStoreError) -> ConfigurationFile {
        ConfigurationFile(entryName(of: scheme), in: try DesktopFolder.applications())
    }

    /// Returns the name of the desktop entry, which differs from that of the app's own entry in a menu.
    private static func entryName(of scheme: PrivateUseScheme) -> String { "\(scheme.name).callback.desktop" }

    /// The path of the program that runs; nil if the system doesn't tell it.
    private static var runningProgram: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safe: the call writes at most the given number of bytes and returns how many.
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
#endif
