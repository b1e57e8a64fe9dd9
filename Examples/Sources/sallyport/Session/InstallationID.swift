import ArgumentParser
import AuthSession
import FoundationEssentials

/// The random name of this installation, made once and kept in the person's configuration folder.
///
/// No secret.
enum InstallationID {
    static func device() -> DeviceInfo {
        DeviceInfo(
            osVersion: ProcessInfo.processInfo.operatingSystemVersionString,
            model: "command line",
            appVersion: Sallyport.configuration.version,
            installationID: readOrMake()
        )
    }

    private static func readOrMake() -> String {
        guard let folder else { return UUID().uuidString }
        let file = folder + "/installation-id"
        if let text = try? String(contentsOfFile: file, encoding: .utf8),
            let known = UUID(uuidString: String(text.prefix { !$0.isWhitespace }))
        {
            return known.uuidString
        }
        let made = UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try (made + "\n").write(toFile: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        } catch {
            Terminal.note("The installation's name can't be kept in \(folder); the next sign-in makes another.")
        }
        return made
    }

    private static var folder: String? {
        let environment = ProcessInfo.processInfo.environment
        if let configuration = environment["XDG_CONFIG_HOME"], configuration.hasPrefix("/") {
            return configuration + "/sallyport"
        }
        return environment["HOME"].map { $0 + "/.config/sallyport" }
    }
}
