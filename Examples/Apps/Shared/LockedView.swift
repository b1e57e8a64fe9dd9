// SPDX-License-Identifier: Apache-2.0

import AuthUI
import SecureStore
import SwiftUI

/// The screen for a store that can't be read now; the user is not signed out.
struct LockedView: View {
    let reason: SecureStoreError
    let manager: AuthenticationManager

    var body: some View {
        VStack(spacing: 16) {
            Text("You are not signed out.").font(.headline)
            Text(reason.description)
            Button("Try again") { Task { await manager.retry() } }.disabled(manager.isLoading)
            if let message = manager.errorMessage { InlineError(message: message) }
        }
        .padding()
    }
}
