#if canImport(SwiftUI) && canImport(AuthenticationServices)
public import AuthenticationServices
public import SwiftUI

/// The sign-in screen: the app's wordmark, Apple's button alone, and below it what went wrong, where something did, or why
/// the person is here again.
///
/// While the sign-in runs there is a sign of it in the button's place, so that nobody begins another one.
public struct SignInView<Wordmark: View>: View {
    private let manager: AuthenticationManager
    private let scopes: [ASAuthorization.Scope]
    private let wordmark: Wordmark
    @Environment(\.colorScheme) private var colorScheme

    /// Makes the view.
    ///
    /// - Parameters:
    ///   - manager: The session as the screens show it.
    ///   - scopes: What Apple is asked for of the person.
    ///   - wordmark: The app's name, as it writes it.
    public init(
        manager: AuthenticationManager,
        scopes: [ASAuthorization.Scope] = [.fullName, .email],
        @ViewBuilder wordmark: () -> Wordmark
    ) {
        self.manager = manager
        self.scopes = scopes
        self.wordmark = wordmark()
    }

    /// The screen.
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
            } else if case .signedOut(let reason) = manager.state, let explanation = reason.explanation {
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
            // Read before the task: what the system gave stays on this actor.
            let result = AppleCredential.result(of: result)
            Task { await manager.handleAppleSignInCompletion(result) }
        }
        .signInWithAppleButtonStyle(colorScheme == .dark ? .white : .black)
        .frame(maxWidth: 375, minHeight: 44, maxHeight: 56)
        // The button keeps the style that it was made with.
        .id(colorScheme)
    }
}
#endif
