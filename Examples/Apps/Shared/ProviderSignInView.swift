// SPDX-License-Identifier: Apache-2.0

import AuthSession
import AuthUI
import SwiftUI

/// The sign-in screen of users who sign in at a provider, in the browser.
///
/// The browser comes back by the app's scheme: `RootView` passes the address on.
struct ProviderSignInView: View {
    let model: AppModel
    @Environment(\.openURL) private var openURL

    var body: some View {
        VStack(spacing: 24) {
            Spacer()
            WordmarkView(brand: model.brand)
                .accessibilityAddTraits(.isHeader)
            Spacer()
            Button("Sign in") { Task { await model.signIn { openURL($0) } } }
                .buttonStyle(.borderedProminent)
                .disabled(model.manager.isLoading)
            if let message = model.manager.errorMessage {
                InlineError(message: message)
            } else if case .signedOut(let reason) = model.manager.state,
                let explanation = AuthenticationManager.message(for: reason)
            {
                Text(explanation).font(.footnote)
            }
        }
        .padding()
    }
}
