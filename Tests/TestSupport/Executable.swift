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

    /// Looks a program of this package up, which the build puts beside the tests.
    ///
    /// - Parameter name: Its target's name.
    /// - Returns: The program.
    /// - Throws: ``TestSupportError`` where it is not there.
    public static func besideTests(_ name: String) throws -> URL {
        // A test bundle's path is among the arguments of the program that runs it.
        let folders =
            [Bundle.main.bundleURL]
            + CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
        let found = folders.map { $0.appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { throw TestSupportError("\(name) was not built beside the tests") }
        return found
    }

    /// Copies a program, without its capabilities.
    ///
    /// By `cp`: where this process wrote the file itself, another child that is started at the same moment would have it
    /// open for writing for a while, and the copy could not be run ("text file busy").
    ///
    /// - Parameters:
    ///   - program: Which one.
    ///   - copy: Where to put the copy.
    /// - Throws: ``TestSupportError``.
    public static func copy(_ program: URL, to copy: URL) async throws {
        let output = try await Command("cp", [program.path, copy.path]).run()
        guard output.exitCode == 0 else { throw TestSupportError(output.errorText) }
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
