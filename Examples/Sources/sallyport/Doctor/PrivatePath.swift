// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TerminalOutput

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The paths that a report must not show, with the words that stand for them in a shell, too.
enum PrivatePath {
    /// Replaces the home folder by `~`, and the folders that XDG variables name by the variables.
    static func hidden(in text: String) -> String {
        all.reduce(text) { text, known in
            // The path as it is within single quotes: the added quotation mark forces them, and is dropped again. A shell
            // expands nothing there, so the word comes before them.
            let quoted = String(ShellWord.quoted(known.path + "'").dropFirst().dropLast(5))
            let opening = known.word == "~" ? "~/'" : "\"\(known.word)\"'/"
            let found = text.replacing("'\(quoted)/", with: opening)
            return [quoted, known.path].reduce(found) { replacing($1, by: known.word, in: $0) }
        }
    }

    /// The home folder first, in which others may be, and the longest first.
    private static let all: [(path: String, word: String)] = {
        let environment = ProcessInfo.processInfo.environment
        let homes = [environment["HOME"], Machine.home].flatMap { spellings($0, "~") }
        let variables = ["STATE_HOME", "DATA_HOME", "CONFIG_HOME", "CACHE_HOME", "RUNTIME_DIR"].map { "XDG_\($0)" }
        return [homes, variables.flatMap { spellings(environment[$0], "$\($0)") }].flatMap { paths in
            paths.sorted { $0.path.utf8.count > $1.path.utf8.count }
        }
    }()

    /// Returns a path without slashes at its end, and the one without links that it leads to; none for the root.
    private static func spellings(_ path: String?, _ word: String) -> [(path: String, word: String)] {
        guard let path, path.hasPrefix("/") else { return [] }
        let resolved = unsafe realpath(path, nil).map { found in
            defer { unsafe free(found) }
            return unsafe String(cString: found)
        }
        return Set([path, resolved].compactMap(\.self)).map { path in
            var path = path
            while path.hasSuffix("/") { path.removeLast() }
            return (path, word)
        }.filter { !$0.path.isEmpty }
    }

    /// Replaces a path where it ends or goes on below, and not where it begins another name.
    private static func replacing(_ path: String, by word: String, in text: String) -> String {
        var (result, rest) = ("", text[...])
        while let range = rest.firstRange(of: path) {
            let next = rest[range.upperBound...].first
            let isWhole = next.map { !$0.isLetter && !$0.isNumber && !"_-".contains($0) } ?? true
            result += rest[..<range.lowerBound] + (isWhole ? word : path)
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
