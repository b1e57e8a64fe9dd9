// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import UmuveBrands

/// The user's actions in an app.
extension TerminalSession {
    static let signInButton = "[ Sign in with Apple ]"

    /// Goes from the first launch to the sign-in screen.
    func skipOnboarding(_ brand: Brand = .customer) async throws {
        try await wait(for: brand.titles[0])
        try await press("s")
        try await wait(for: Self.signInButton)
    }

    /// Goes from the first launch to the main screen.
    func signIn(_ brand: Brand = .customer) async throws {
        try await skipOnboarding(brand)
        try await press("Enter")
        try await wait(for: brand.greeting)
    }

    /// Goes from the main screen to the sign-in, by keys.
    func signOut() async throws {
        try await press("3")
        try await wait(for: "[ Sign out ]")
        try await press("Tab", "Enter")
        try await wait(for: Self.signInButton)
    }

    /// Leaves the app.
    func quit() async throws {
        try await press("q")
        try await wait(for: "exit 0")
    }

    /// Clicks on a text on the screen.
    func click(on text: String) async throws {
        let rows = try await wait(for: text).split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(rows.firstIndex { $0.contains(text) })
        let start = try #require(rows[row].firstRange(of: text)).lowerBound
        let column = rows[row].distance(from: rows[row].startIndex, to: start) + text.count / 2
        let position = (column: column + 1, row: row + 1)
        try await drag(from: position, to: position)
    }

    /// Types the number of a choice, in the line-by-line shell.
    ///
    /// - Parameters:
    ///   - title: The choice.
    ///   - text: The text above the choices; the last of several counts.
    /// - Throws: ``TerminalError`` with the screen if there is no such choice.
    func choose(_ title: String, below text: String) async throws {
        let words = try await wait(for: ". \(title)", below: text)
        let number = try #require(words.components(separatedBy: ". \(title)").first?.split(separator: " ").last)
        try await type(String(number))
        try await press("Enter")
    }
}
