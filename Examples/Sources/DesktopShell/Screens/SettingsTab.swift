// SPDX-License-Identifier: Apache-2.0

import AuthUI
import CAdwaita

/// The settings: the signed-in user, the session's store with its protection, and the sign-out button.
struct SettingsTab: View {
    let widget: Widget

    init(_ model: AppModel) {
        widget =
            Screen {
                Text("Settings", role: GTK_ACCESSIBLE_ROLE_HEADING).leading().style("title-1")
                Rows([
                    Text { "Signed in as \(model.name ?? "an unnamed user")" }.leading(),
                    Text { model.contact }.leading(),
                    Text { model.roleSentence }.leading(),
                    Text { model.placeSentence }.leading(),
                    Text { model.deviceSentence }.leading(),
                ])
                Button("Sign out") { model.signOut() }
                    .style("destructive-action", "pill").aligned(GTK_ALIGN_CENTER)
                    .disabled { model.manager.isLoading }
                ErrorLine(model)
            }
            .widget
    }
}
