// SPDX-License-Identifier: Apache-2.0

#if !os(Linux)
import ArgumentParser
import AuthUI
import UmuveBrands

/// The redirect to an app's own URL scheme, which a program in a terminal can't register on this system.
@MainActor
final class SchemeRedirect {
    private static let error = ValidationError("A redirect to the app's own scheme needs Linux.")

    /// Returns nil, or throws `ValidationError` if the user has chosen this redirect.
    init?(_ brand: Brand, _ options: ShellOptions) throws {
        guard options.redirect == .scheme else { return nil }
        throw Self.error
    }

    static func deliver(_ address: String, to brand: Brand) async throws -> Bool { throw error }

    static func unregister(_ brand: Brand) throws { throw error }

    func follow(with manager: AuthenticationManager) async {}

    func signIn(with manager: AuthenticationManager, showing show: @escaping @Sendable (String) -> Void) async {}
}
#endif
