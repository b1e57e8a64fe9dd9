// SPDX-License-Identifier: Apache-2.0

/// A text as one word of a command line, for a user who copies the line into a shell.
package enum ShellWord {
    /// Returns a text quoted for a POSIX shell, so that the shell expands and executes nothing in it.
    ///
    /// - Parameter text: The text. May be untrusted.
    /// - Returns: The text itself if no character of it has a meaning to a shell, otherwise in single quotes.
    package static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        // By scalars: as a character, a quote and a combining accent after it are another one.
        return "'" + text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "%+,-./:@_".utf8.contains(byte)
        }
    }
}
