// SPDX-License-Identifier: Apache-2.0

import AppShell
import CAdwaita

/// One page of an onboarding: a symbol, in a circle over the page's gradient if it has one, a title and a line of text.
struct OnboardingPageView: View {
    let widget: Widget

    init(_ page: OnboardingPage) {
        widget =
            Screen(spacing: 16) {
                Spacer()
                if let picture = SymbolPicture(page) { picture }
                Text(page.title, role: GTK_ACCESSIBLE_ROLE_HEADING).style("title-1")
                Text(page.text)
                Spacer()
            }
            .widget
    }
}
