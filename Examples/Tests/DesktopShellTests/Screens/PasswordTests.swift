// SPDX-License-Identifier: Apache-2.0

import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite {
    @Suite("The sign-in with a password")
    struct PasswordTests {
        @Test func `a wrong password is refused in red, and the right one signs in`() async throws {
            try await DesktopStage.launch(.business) { stage, app in
                try await stage.addAccount()
                try await app.skipOnboarding(.business)
                #expect(try await app.unnamed() == [])
                try await app.press("Sign in")
                try await app.wait(for: "Type your e-mail address.")
                try await app.type(DesktopStage.accountEmail, into: "E-mail address")
                try await app.type("wrong", into: "Password")
                try await app.press("Sign in")
                #expect(try await app.wait(for: "The e-mail address or the password is wrong.", below: "Sign in"))
                try await app.wait(forColour: Brand.business.palette.error.hex)
                // The password has left the field.
                try await app.press("Sign in")
                try await app.wait(for: "Type your password.")
                try await app.signInWithPassword()
                try await app.wait(for: "Hello, Ada.")
            }
        }
    }
}
