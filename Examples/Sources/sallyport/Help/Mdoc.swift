// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The parts of a man page in the mdoc language.
enum Mdoc {
    /// Returns text in which no character has a meaning to roff.
    ///
    /// A hyphen becomes a minus sign, which a user can copy into a shell.
    static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": #"\e"#
            case "-": #"\-"#
            case "'": #"\(aq"#
            case "`": #"\(ga"#
            case "^": #"\(ha"#
            case "~": #"\(ti"#
            case "\"": #"\(dq"#
            default: String(character)
            }
        }.joined()
    }

    /// Returns one line of text, which roff does not take for a request.
    static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") ? #"\&"# + escaped : escaped
    }

    /// Returns a paragraph with each sentence on a line of its own.
    static func prose(_ text: String) -> [String] {
        text.replacing("\n", with: " ").replacing(". ", with: ".\n")
            .split(separator: "\n").map { line(String($0)) }
    }

    /// Returns lines that keep their breaks.
    static func literal(_ lines: [Substring]) -> [String] {
        [".Bd -literal -offset indent"] + lines.map { line(String($0)) } + [".Ed"]
    }

    /// Returns a list of items, each with its head and the lines of its description.
    static func list(_ items: [(String, [String])]) -> [String] {
        [".Bl -tag -width Ds"] + items.flatMap { [".It \($0.0)"] + $0.1 } + [".El"]
    }

    /// Returns a date as `.Dd` wants it: `November 24, 2026`.
    static func date(_ date: Date) -> String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        // Such as 2026-11-24T00:00:00Z.
        let parts = date.formatted(.iso8601).prefix(10).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return "January 1, 1970" }
        return "\(months[parts[1] - 1]) \(parts[2]), \(parts[0])"
    }
}
