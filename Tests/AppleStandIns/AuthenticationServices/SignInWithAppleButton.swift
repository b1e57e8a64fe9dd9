// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The system declares it in a module of its own, which the two imports together bring.
public import SwiftUI

public struct SignInWithAppleButton: SystemView {
    public struct Label: Sendable {
        public static let signIn = Label()
    }

    public struct Style: Sendable {
        public static let black = Style()
        public static let white = Style()
    }

    public init(
        _ label: Label,
        onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
        onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void
    ) {}
}

extension View {
    public func signInWithAppleButtonStyle(_ style: SignInWithAppleButton.Style) -> some View { EmptyView() }
}
