// SPDX-License-Identifier: Apache-2.0

import AuthSession
import AuthUI
import SwiftUI

/// The settings: the signed-in user and the sign-out button.
struct SettingsView: View {
    let manager: AuthenticationManager

    var body: some View {
        Form {
            LabeledContent("Signed in as", value: manager.currentUser?.displayName ?? "an unnamed user")
            Button("Sign out", role: .destructive) { Task { await manager.signOut() } }.disabled(manager.isLoading)
            if let message = manager.errorMessage { InlineError(message: message) }
        }
    }
}
