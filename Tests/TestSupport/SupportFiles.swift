internal import Foundation

/// The programs of `Tests/Support`.
public enum SupportFiles {
    /// Where one is.
    ///
    /// - Parameter name: Its file's name.
    /// - Returns: An absolute path.
    public static func path(_ name: String) -> String {
        // Resolved first: the examples' tests see this folder through a link.
        URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("Support/\(name)").path
    }
}
