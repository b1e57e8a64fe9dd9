// SPDX-License-Identifier: Apache-2.0

import AuthUI
import CAdwaita

/// The banner that says since when the server can't be reached, with a button to try again.
///
/// It goes by itself.
struct OfflineBanner: View {
    let widget: Widget

    init(_ model: AppModel) {
        widget = HStack {
            Icon("network-offline-symbolic")
            Text(role: GTK_ACCESSIBLE_ROLE_STATUS) { model.offlineSentence }.leading().expandedSideways()
            Button("Try again") { Task { await model.manager.retry() } }
                .style("flat")
                .disabled { model.manager.isLoading }
        }
        .style("banner")
        .shown { model.manager.isOffline }
    }
}
