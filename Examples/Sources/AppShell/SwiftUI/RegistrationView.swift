// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
import AuthSession
public import AuthUI
public import SwiftUI

/// The registration screen, which asks the signed-in user for what the account lacks.
///
/// It has a field for each of `SessionUser.missing`, the last error below the button, and a way out: the sign-out. Once
/// the backend has accepted the values, ``AppFlow/screen-swift.property`` is another screen.
public struct RegistrationView: View {
    private let manager: AuthenticationManager
    @State private var name = ""
    @State private var phoneNumber = ""

    /// Creates the view.
    public init(manager: AuthenticationManager) {
        self.manager = manager
    }

    public var body: some View {
        VStack(spacing: 24) {
            Spacer()
            Text("One more step")
                .font(.title)
                .bold()
                .accessibilityAddTraits(.isHeader)
            if missing.contains(.name) {
                TextField("Name", text: $name)
                    .textContentType(.name)
            }
            if missing.contains(.phoneNumber) {
                TextField("Phone number with its country code", text: $phoneNumber)
                    .textContentType(.telephoneNumber)
            }
            if manager.isLoading {
                ProgressView()
                    .accessibilityLabel("Sending")
            } else {
                Button("Continue") { Task { await send() } }
                    .buttonStyle(.borderedProminent)
                    .disabled(!isComplete)
            }
            if let message = manager.errorMessage {
                InlineError(message: message)
            }
            Spacer()
            Button("Sign out", role: .destructive) { Task { await manager.signOut() } }
                .disabled(manager.isLoading)
        }
        .onSubmit { Task { await send() } }
        // Another user signed in meanwhile, in another process.
        .onChange(of: manager.currentUser?.id) { (name, phoneNumber) = ("", "") }
        .padding()
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }

    private var missing: [SessionUser.ProfileMember] { manager.currentUser?.missing ?? [] }

    private var isComplete: Bool {
        missing.allSatisfy { member in
            switch member {
            case .name: !name.allSatisfy(\.isWhitespace)
            case .phoneNumber: !phoneNumber.allSatisfy(\.isWhitespace)
            }
        }
    }

    private func send() async {
        guard isComplete, !manager.isLoading else { return }
        await manager.updateProfile(
            name: missing.contains(.name) ? name : nil,
            phoneNumber: missing.contains(.phoneNumber) ? phoneNumber : nil
        )
    }
}
#endif
