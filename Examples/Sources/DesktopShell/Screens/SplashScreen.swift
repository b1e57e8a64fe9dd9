// SPDX-License-Identifier: Apache-2.0

import UmuveBrands

/// The first screen, until the session is restored.
struct SplashScreen: View {
    let widget: Widget

    init(_ brand: Brand) {
        widget =
            Screen {
                Spacer()
                Wordmark(brand)
                ProgressView("Opening \(brand.name)…")
                Spacer()
            }
            .widget
    }
}
