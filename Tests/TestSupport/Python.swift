internal import Foundation

/// The system's Python, which runs some programs of `Tests/Support`.
public enum Python {
    /// Where it is: the system's, whose packages `Tests/run` installs.
    public static let path = "/usr/bin/python3"

    /// Whether it is there, with all these modules.
    ///
    /// - Parameter modules: Their names.
    /// - Returns: Whether each can be imported.
    public static func has(_ modules: String...) -> Bool {
        guard FileManager.default.isExecutableFile(atPath: path) else { return false }
        let check = Process()
        check.executableURL = URL(fileURLWithPath: path)
        check.arguments = ["-c", "import " + modules.joined(separator: ", ")]
        check.standardError = FileHandle.nullDevice
        guard (try? check.start()) != nil else { return false }
        check.waitUntilExit()
        return check.terminationStatus == 0
    }
}
