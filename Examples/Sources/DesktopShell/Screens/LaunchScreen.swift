// SPDX-License-Identifier: Apache-2.0

import CAdwaita
import UmuveBrands

/// The content of the window: the splash or the failure of a launch, then the app.
struct LaunchScreen: View {
    let widget: Widget

    init(_ launch: Launch) {
        widget = Switched({ launch.model == nil }) { isOpening in
            if let model = launch.model, !isOpening { return RootScreen(model) }
            return Switched({ launch.failure }) { failure in
                guard let failure else { return SplashScreen(launch.brand) }
                return Screen {
                    Spacer()
                    Wordmark(launch.brand)
                    Text(failure, role: GTK_ACCESSIBLE_ROLE_ALERT)
                    Button("Try again") { Task { await launch.run() } }.style("pill").aligned(GTK_ALIGN_CENTER)
                    Spacer()
                }
            }
            .expanded()
        }
        .expanded()
    }
}
