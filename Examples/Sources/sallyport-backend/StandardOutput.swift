internal import Foundation

/// Where the command's result goes.
enum StandardOutput {
    /// Writes one line at once, whatever reads it.
    static func write(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
