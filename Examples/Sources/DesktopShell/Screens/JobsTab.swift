// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// A tab with the list of the user's jobs: Jobs or Activity.
struct JobsTab: View {
    let widget: Widget

    init(_ title: String, _ model: AppModel) {
        widget =
            Screen {
                Text { model.greeting }.leading()
                Text(title, role: GTK_ACCESSIBLE_ROLE_HEADING).leading().style("title-1")
                Switched({ model.jobLines }) { lines in
                    Rows(lines.map { Text($0).leading() })
                }
                JobsControls(model)
            }
            .widget
    }
}

/// The button to ask the server again, and the error if that fails.
struct JobsControls: View {
    let widget: Widget

    init(_ model: AppModel) {
        widget =
            VStack {
                Button("Refresh") { Task { await model.jobs.load() } }
                    .style("pill").aligned(GTK_ALIGN_CENTER)
                    .disabled { model.jobs.isLoading }
                Text(role: GTK_ACCESSIBLE_ROLE_ALERT) { model.jobsFailure }.style("error")
            }
            .widget
    }
}
