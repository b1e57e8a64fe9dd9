// SPDX-License-Identifier: Apache-2.0

import UmuveBrands

/// The user's actions in an app.
extension DesktopApp {
    static let signInButton = "Sign in with Apple"

    /// Goes from the first launch to the sign-in screen.
    func skipOnboarding(_ brand: Brand = .customer) async throws {
        try await wait(for: brand.titles[0])
        try await press("Skip")
        try await wait(for: brand == .business ? "E-mail address" : Self.signInButton)
    }

    /// Goes from the first launch to the main screen.
    func signIn(_ brand: Brand = .customer) async throws {
        try await skipOnboarding(brand)
        try await press(Self.signInButton)
        try await wait(for: brand.greeting)
    }

    /// Signs in with the account of the stage.
    func signInWithPassword() async throws {
        try await type(DesktopStage.accountEmail, into: "E-mail address")
        try await type(DesktopStage.accountPassword, into: "Password")
        try await press("Sign in")
    }

    /// Goes from the main screen to the sign-in.
    func signOut(_ brand: Brand = .customer) async throws {
        try await press("Settings")
        try await press("Sign out")
        try await wait(for: brand == .business ? "E-mail address" : Self.signInButton)
    }
}
