import AuthSession
import SwiftUI

/// Who is signed in, and the way out.
struct SettingsView: View {
    let manager: AuthenticationManager

    var body: some View {
        Form {
            LabeledContent("Signed in as", value: manager.currentUser?.displayName ?? "somebody without a name")
            Button("Sign out", role: .destructive) { Task { await manager.signOut() } }.disabled(manager.isLoading)
            if let message = manager.errorMessage { Text(message).foregroundStyle(.red) }
        }
    }
}
