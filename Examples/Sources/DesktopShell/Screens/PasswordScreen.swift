// SPDX-License-Identifier: Apache-2.0

import AuthCore
import CAdwaita
import UmuveBrands

/// The sign-in screen with an e-mail address and a password.
///
/// The password leaves its field with each attempt.
struct PasswordScreen: View {
    let widget: Widget

    init(_ model: AppModel) {
        let form = PasswordForm(model)
        widget = Screen {
            Spacer()
            Wordmark(model.brand)
            Spacer()
            VStack(spacing: 16) {
                form.email
                form.password
                form.remember
            }
            .disabled { model.isSigningIn }
            Button("Sign in") { form.submit() }
                .style("suggested-action", "pill").aligned(GTK_ALIGN_CENTER)
                .shown { !model.isSigningIn }
            SigningIn(model).shown { model.isSigningIn }
            Text(role: GTK_ACCESSIBLE_ROLE_ALERT) { form.remark.value }
            ErrorLine(model)
            Text { model.signedOutSentence }
        }
        .onKey("Escape") { model.cancelSignIn() }
    }
}

/// The fields of the sign-in with a password.
private final class PasswordForm {
    private let model: AppModel
    /// The sentence about the missing field; nil if both are there.
    let remark = State<String?>(nil)
    private(set) lazy var email = TextField("E-mail address", purpose: GTK_INPUT_PURPOSE_EMAIL) { [weak self] in
        self?.submit()
    }
    private(set) lazy var password = TextField("Password", isSecret: true) { [weak self] in self?.submit() }
    let remember = Toggle("Keep me signed in", isOn: true)

    init(_ model: AppModel) {
        self.model = model
    }

    func submit() {
        remark.value = nil
        guard let address = email.value else { return ask("Type your e-mail address.", email) }
        let typed = password.text
        guard !typed.isEmpty else { return ask("Type your password.", password) }
        password.text = ""
        model.signIn(email: address, password: Password(typed), isRemembered: remember.isOn)
    }

    private func ask(_ text: String, _ field: TextField) {
        remark.value = text
        field.focus()
    }
}
