// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport

extension TerminalSession {
    /// Waits until a text is on the screen.
    ///
    /// - Returns: The screen.
    @discardableResult
    func wait(for text: String) async throws -> String {
        try await wait("the screen shows \"\(text)\"") { $0.contains(text) }
    }

    /// Waits until a text has gone from the screen.
    func wait(without text: String) async throws {
        try await wait("\"\(text)\" has gone from the screen") { !$0.contains(text) }
    }

    /// Waits until a text appears after or below another one, across any number of rows.
    ///
    /// - Parameters:
    ///   - text: The text, its words separated by one space each.
    ///   - other: The text above it; the last of several counts.
    /// - Returns: All text below `other`, its words separated by one space each.
    /// - Throws: ``TerminalError`` with the screen if the text never appears there.
    @discardableResult
    func wait(for text: String, below other: String) async throws -> String {
        let what = "\"\(text)\" stands below \"\(other)\""
        let screen = try await wait(what) { Self.words(of: $0, below: other)?.contains(text) == true }
        return Self.words(of: screen, below: other) ?? ""
    }

    private static func words(of screen: String, below other: String) -> String? {
        let parts = screen.components(separatedBy: other)
        guard parts.count > 1, let last = parts.last else { return nil }
        return last.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @discardableResult
    private func wait(_ what: String, _ condition: (String) -> Bool) async throws -> String {
        var seen = ""
        do {
            try await waitUntil(what) {
                seen = try await screen()
                return condition(seen)
            }
        } catch {
            throw TerminalError(description: "\(error); the screen:\n\(seen)")
        }
        return seen
    }
}
