// SPDX-License-Identifier: Apache-2.0

import AuthSession
import AuthUI
import CAdwaita
import UmuveBrands

/// The registration screen, which asks the signed-in user for what the account lacks.
///
/// It has the last error below the button, and a way out: the sign-out. Another user, who signed in in another window
/// meanwhile, gets empty fields, and so does a user whose account lacks something else now.
struct RegistrationScreen: View {
    let widget: Widget

    private struct Need: Equatable {
        let user: String?
        let missing: [SessionUser.ProfileMember]
    }

    init(_ model: AppModel) {
        widget = Switched({ Need(user: model.manager.currentUser?.id, missing: model.missing) }) { _ in
            RegistrationForm(model)
        }
        .expanded()
    }
}

private struct RegistrationForm: View {
    let widget: Widget

    init(_ model: AppModel) {
        let typed = State<[SessionUser.ProfileMember: String]>([:])
        func isComplete() -> Bool { model.missing.allSatisfy { typed.value[$0] != nil } }
        func send() {
            guard isComplete(), !model.manager.isLoading else { return }
            let values = typed.value
            Task { await model.manager.updateProfile(name: values[.name], phoneNumber: values[.phoneNumber]) }
        }
        func field(_ member: SessionUser.ProfileMember) -> TextField {
            let title = member == .name ? "Name" : "Phone number with its country code"
            let purpose = member == .name ? GTK_INPUT_PURPOSE_NAME : GTK_INPUT_PURPOSE_PHONE
            let field = TextField(title, purpose: purpose, submit: send)
            return field.onChange { typed.value[member] = field.value }
        }
        widget =
            Screen {
                Spacer()
                Wordmark(model.brand)
                Text("One more step", role: GTK_ACCESSIBLE_ROLE_HEADING).style("title-1")
                Text(model.registrationSentence)
                for member in model.missing { field(member) }
                Button("Continue", send)
                    .style("suggested-action", "pill").aligned(GTK_ALIGN_CENTER)
                    .disabled { !isComplete() }
                    .shown { !model.manager.isLoading }
                ProgressView("Sending…").shown { model.manager.isLoading }
                ErrorLine(model)
                Spacer()
                Button("Sign out") { model.signOut() }
                    .style("flat").aligned(GTK_ALIGN_CENTER)
                    .disabled { model.manager.isLoading }
            }
            .widget
    }
}
