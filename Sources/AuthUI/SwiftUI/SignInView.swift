// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI) && canImport(AuthenticationServices)
import AppBackendSession
import AuthSession
public import AuthenticationServices
public import SwiftUI

/// The sign-in screen, with the app's wordmark, Apple's button, and below it the last error or the sign-out reason.
///
/// During a sign-in, a progress indicator replaces the button, so that the user can't begin another one.
public struct SignInView<Wordmark: View>: View {
    private let manager: AuthenticationManager
    private let scopes: [ASAuthorization.Scope]
    private let wordmark: Wordmark
    @Environment(\.colorScheme) private var colorScheme

    /// Creates the view.
    ///
    /// - Parameters:
    ///   - scopes: The personal data to request from Apple.
    ///   - wordmark: The app's name in its own design.
    public init(
        manager: AuthenticationManager,
        scopes: [ASAuthorization.Scope] = [.fullName, .email],
        @ViewBuilder wordmark: () -> Wordmark
    ) {
        self.manager = manager
        self.scopes = scopes
        self.wordmark = wordmark()
    }

    public var body: some View {
        VStack(spacing: 24) {
            Spacer()
            wordmark
                .accessibilityAddTraits(.isHeader)
            Spacer()
            ZStack {
                appleButton
                    .opacity(manager.isLoading ? 0 : 1)
                    .disabled(manager.isLoading)
                    .accessibilityHidden(manager.isLoading)
                if manager.isLoading {
                    ProgressView()
                        .accessibilityLabel("Signing in")
                }
            }
            if let message = manager.errorMessage {
                InlineError(message: message)
            } else if case .signedOut(let reason) = manager.state,
                let explanation = AuthenticationManager.message(for: reason)
            {
                Text(explanation)
                    .font(.footnote)
                    .multilineTextAlignment(.center)
            }
        }
        .padding()
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }

    private var appleButton: some View {
        SignInWithAppleButton(.signIn) { request in
            manager.handleAppleSignInRequest(request, scopes: scopes)
        } onCompletion: { result in
            // Read before the task, because the system's object stays on this actor.
            let result = AppleCredential.result(of: result)
            Task { await manager.handleAppleSignInCompletion(result) }
        }
        .signInWithAppleButtonStyle(colorScheme == .dark ? .white : .black)
        .frame(maxWidth: 375, minHeight: 44, maxHeight: 56)
        // The button doesn't update its style, so a new one is made for each color scheme.
        .id(colorScheme)
    }
}
#endif
