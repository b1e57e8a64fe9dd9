// SPDX-License-Identifier: Apache-2.0

import AuthSession

/// The facts about the session for the screens: the properties of an authentication manager as a value.
struct ShellFacts: Sendable, Equatable {
    var state = SessionState.restoring
    var isLoading = false
    var errorMessage: String?
    /// Whether the backend knows this device.
    var isDeviceRegistered = false

    /// The user's name, or nil if no user is signed in or the user has no name.
    var name: String? {
        guard case .signedIn(let user, _) = state else { return nil }
        return user?.displayName.flatMap { ShownText.of($0) }
    }

    /// The user's role at the backend, or nil if it is not known.
    var role: String? {
        guard case .signedIn(let user, _) = state else { return nil }
        return user?.role.flatMap { ShownText.of($0, limit: 40) }
    }

    /// The user's e-mail address or phone number, or nil if it is the name already.
    var contact: String? {
        guard case .signedIn(let user, _) = state else { return nil }
        let contact = (user?.email ?? user?.phoneNumber).flatMap { ShownText.of($0) }
        return contact == name ? nil : contact
    }
}
