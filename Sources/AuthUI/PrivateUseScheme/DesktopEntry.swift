// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import SecureStore

/// The text of the desktop entry of a program that opens a scheme's addresses.
///
/// [Desktop Entry Specification](https://specifications.freedesktop.org/desktop-entry-spec/latest/).
struct DesktopEntry: Sendable, Hashable {
    /// The characters for which an argument must be quoted.
    ///
    /// Unicode scalars, as everywhere here: with a combining mark after it, each is part of another `Character`.
    private static let reserved = Set(" \t\n\"'\\><~|&;$*?#()`".unicodeScalars)

    /// The content of the file.
    let text: String

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - name: The app's name for the user.
    ///   - command: The program's absolute path and its arguments before the address.
    ///   - mimeType: The MIME type of the addresses.
    /// - Throws: `SecureStoreError` (`invalidName` if the path is relative or contains `=`, or if a text is empty or
    ///   contains a control character).
    init(name: String, command: [String], mimeType: String) throws(SecureStoreError) {
        // The specification forbids the sign in a program's path.
        guard let program = command.first?.utf8, program.first == UInt8(ascii: "/"),
            !program.contains(UInt8(ascii: "="))
        else {
            throw SecureStoreError(.invalidName, detail: "the program")
        }
        guard ([name] + command).allSatisfy(Self.isLine) else { throw SecureStoreError(.invalidName) }
        let line = command.map(Self.argument).joined(separator: " ")
        text = """
            [Desktop Entry]
            Type=Application
            Name=\(Self.escaped(name))
            Exec=\(Self.escaped(line)) %u
            NoDisplay=true
            Terminal=false
            StartupNotify=false
            MimeType=\(mimeType);

            """
    }

    private static func isLine(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// Writes an argument, in quotes only if it needs them.
    ///
    /// Without a desktop, `xdg-open` passes quotes on to the program. `%` begins a field code, and two of them are one.
    private static func argument(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let written = scalars.map { scalar in
            switch scalar {
            case "%": "%%"
            case "\"", "`", "$", "\\": "\\\(scalar)"
            default: String(scalar)
            }
        }
        .joined()
        return scalars.contains { reserved.contains($0) } ? "\"\(written)\"" : written
    }

    /// Writes a value of type string, in which a backslash begins an escape sequence.
    private static func escaped(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { $0 == "\\" ? "\\\\" : String($0) }.joined().unicodeScalars
        // A space at the start of a value would be ignored.
        return scalars.first == " " ? "\\s" + String(scalars.dropFirst()) : String(scalars)
    }
}
#endif
