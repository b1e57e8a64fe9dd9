public import Foundation

/// Programs of the system, found the way a shell finds them.
public enum Executable {
    /// Looks a program up in `PATH`.
    ///
    /// - Parameter name: Its file's name.
    /// - Returns: Where it is, or nil.
    public static func find(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}

/// Why a test's surroundings could not be set up.
public struct TestSupportError: Error, CustomStringConvertible {
    /// What went wrong.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
