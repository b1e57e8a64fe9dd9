// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthUI
import CAdwaita
import UmuveBrands

/// The screen for a store that can't be read now; the user is not signed out.
struct LockedScreen: View {
    let widget: Widget

    init(_ model: AppModel) {
        func sentences() -> LockedSentences? {
            guard case .locked(let reason) = model.screen else { return nil }
            return LockedSentences(reason, isPortal: model.isInPortal)
        }
        widget =
            Screen(spacing: 16) {
                Spacer()
                Wordmark(model.brand)
                Text(role: GTK_ACCESSIBLE_ROLE_HEADING) { sentences()?.lead }.style("title-2")
                Text { sentences()?.reason }
                Text { sentences()?.advice }
                Spacer()
                Button("Unlock keyring") { Task { await model.unlock() } }
                    .style("suggested-action", "pill").aligned(GTK_ALIGN_CENTER).focused()
                    .shown { sentences()?.canUnlock == true && !model.manager.isLoading }
                Button("Try again") { Task { await model.manager.retry() } }
                    .style("pill").aligned(GTK_ALIGN_CENTER)
                    .shown { !model.manager.isLoading }
                ProgressView("Trying again…").shown { model.manager.isLoading }
                ErrorLine(model)
            }
            .widget
    }
}
