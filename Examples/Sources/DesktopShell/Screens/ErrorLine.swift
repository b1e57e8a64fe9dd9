// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// The last error in red, for the place below a button; a screen reader reads it when it appears.
struct ErrorLine: View {
    let widget: Widget

    init(_ model: AppModel) {
        widget = Text(role: GTK_ACCESSIBLE_ROLE_ALERT) { model.errorMessage }.style("error")
    }
}
