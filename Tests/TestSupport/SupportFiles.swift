// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A namespace for the programs in `Tests/Support`.
public enum SupportFiles {
    /// Returns the path of a program.
    ///
    /// - Parameter name: The file name.
    /// - Returns: The absolute path.
    public static func path(_ name: String) -> String {
        // Links are resolved first, because the tests of the examples reach this folder through a link.
        URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("Support/\(name)").path
    }
}
