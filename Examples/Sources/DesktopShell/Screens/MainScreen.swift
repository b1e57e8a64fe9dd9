// SPDX-License-Identifier: Apache-2.0

import CAdwaita
import UmuveBrands

/// The app itself: its tabs, with the offline banner above them while the server can't be reached.
struct MainScreen: View {
    let widget: Widget

    init(_ model: AppModel) {
        let tabs =
            model.brand.role == "driver"
            ? [
                Tab("Jobs", "mark-location-symbolic", JobsTab("Jobs nearby", model)),
                Tab("Earnings", "starred-symbolic", NumbersTab("Earnings", model) { model.earningsSentence }),
            ]
            : [
                Tab("Home", "go-home-symbolic", NumbersTab(nil, model) { model.pickupsSentence }),
                Tab("Activity", "view-list-symbolic", JobsTab("Your pickups", model)),
            ]
        widget = VStack(spacing: 0) {
            OfflineBanner(model)
            TabView(tabs + [Tab("Settings", "emblem-system-symbolic", SettingsTab(model))])
        }
        .onKey("F5") { Task { await model.jobs.load() } }
    }
}
