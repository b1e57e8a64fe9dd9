// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// A tab with one number of the user's: Home or Earnings.
struct NumbersTab: View {
    let widget: Widget

    init(_ title: String?, _ model: AppModel, _ sentence: @escaping () -> String) {
        widget =
            Screen {
                Text(role: GTK_ACCESSIBLE_ROLE_HEADING) { title ?? model.greeting }.leading().style("title-1")
                Text { sentence() }.leading()
                JobsControls(model)
            }
            .widget
    }
}
