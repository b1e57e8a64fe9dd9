// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The system's Python, which runs some programs in `Tests/Support`.
public enum Python {
    /// The path of the system's interpreter, for which `Tests/run` installs packages.
    public static let path = "/usr/bin/python3"

    /// Returns whether Python and all the given modules are installed.
    ///
    /// - Parameter modules: The names of the modules.
    /// - Returns: True if Python can import all of them.
    public static func has(_ modules: String...) -> Bool {
        guard FileManager.default.isExecutableFile(atPath: path) else { return false }
        var check = ChildProcess()
        check.executableURL = URL(fileURLWithPath: path)
        check.arguments = ["-c", "import " + modules.joined(separator: ", ")]
        check.standardError = .null
        guard let number = try? check.start() else { return false }
        return ChildProcess.waitForExit(of: number) == 0
    }
}
