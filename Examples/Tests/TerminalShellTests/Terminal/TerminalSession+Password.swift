// SPDX-License-Identifier: Apache-2.0

import UmuveBrands

/// The user's actions in the app with passwords.
extension TerminalSession {
    static let passwordButton = "[ Sign in ]"

    /// Goes from the first launch to the sign-in form.
    func showForm() async throws {
        try await wait(for: Brand.business.titles[0])
        try await press("s")
        try await wait(for: Self.passwordButton)
    }

    /// Fills in the form from its first field on, and signs in.
    func enter(email: String, password: String) async throws {
        try await type(email)
        try await wait(for: email)
        try await press("Enter")
        try await type(password)
        try await wait(for: String(repeating: "•", count: password.count))
        try await press("Enter")
    }

    /// Answers the prompts of the plain mode.
    func answer(_ line: String) async throws {
        try await type(line)
        try await press("Enter")
    }
}
