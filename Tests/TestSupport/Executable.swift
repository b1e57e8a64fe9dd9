// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A namespace for finding and copying programs.
public enum Executable {
    /// Looks a program up in `PATH`.
    ///
    /// - Parameter name: The file name.
    /// - Returns: The program's URL, or nil if no folder in `PATH` has it.
    public static func find(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Looks up a program of this package: in the folder that `SALLYPORT_BIN` names, else beside the tests.
    ///
    /// So the tests of a debug build can run the release build of a program.
    ///
    /// - Parameter name: The target's name.
    /// - Returns: The program's URL.
    /// - Throws: ``TestSupportError`` if it was not built.
    public static func besideTests(_ name: String) throws -> URL {
        // The path of the test bundle is among the arguments of the program that runs it.
        let other = ProcessInfo.processInfo.environment["SALLYPORT_BIN"].map { URL(fileURLWithPath: $0) }
        let folders =
            [other, Bundle.main.bundleURL].compactMap(\.self)
            + CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
        let found = folders.map { $0.appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { throw TestSupportError("\(name) was not built beside the tests") }
        return found
    }

    /// Copies a program without its capabilities.
    ///
    /// Uses `cp`. If this process wrote the file itself, a child that starts at the same moment would briefly have it
    /// open for writing, and the copy could not be run ("text file busy").
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - copy: The destination.
    /// - Throws: ``TestSupportError`` if `cp` fails.
    public static func copy(_ program: URL, to copy: URL) async throws {
        let output = try await Command("cp", [program.path, copy.path]).run()
        guard output.exitCode == 0 else { throw TestSupportError(output.errorText) }
    }
}

/// An error while setting up a test's environment.
public struct TestSupportError: Error, CustomStringConvertible {
    /// The reason.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
