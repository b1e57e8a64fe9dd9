import ArgumentParser
import AuthSession
import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The random ID of this installation, created once and kept in the user's configuration folder.
///
/// Not secret, but it identifies the installation, so other users of the machine can't read it.
enum InstallationID {
    static func device() -> DeviceInfo {
        DeviceInfo(
            osVersion: ProcessInfo.processInfo.operatingSystemVersionString,
            model: "command line",
            appVersion: Sallyport.configuration.version,
            installationID: readOrMake().uuidString
        )
    }

    private static func readOrMake() -> UUID {
        guard let folder else { return UUID() }
        let file = folder + "/installation-id"
        if let known = read(file) { return known }
        let made = UUID()
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            return try keep(made, in: file)
        } catch {
            Terminal.note("The installation ID can't be written to \(folder); the next sign-in creates a new one.")
            return made
        }
    }

    private static func read(_ file: String) -> UUID? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        return UUID(uuidString: String(text.prefix { !$0.isWhitespace }))
    }

    /// Creates the file atomically, with mode 0600 from its first byte.
    ///
    /// - Returns: The ID in the file, which is another process's if that was faster.
    private static func keep(_ id: UUID, in file: String) throws -> UUID {
        let draft = "\(file).\(id.uuidString)"
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { unsafe unlink(draft) }
        let bytes = Array("\(id.uuidString)\n".utf8)
        let written = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        guard close(descriptor) == 0, written == bytes.count else { throw CocoaError(.fileWriteUnknown) }
        // A link fails if the file exists. A rename would give two processes that start at once two IDs.
        if unsafe link(draft, file) == 0 { return id }
        if let known = read(file) { return known }
        // The file contains no ID, or the file system has no links.
        guard unsafe rename(draft, file) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return id
    }

    private static var folder: String? {
        let environment = ProcessInfo.processInfo.environment
        if let configuration = environment["XDG_CONFIG_HOME"], configuration.hasPrefix("/") {
            return configuration + "/sallyport"
        }
        return environment["HOME"].map { $0 + "/.config/sallyport" }
    }
}
