// SPDX-License-Identifier: Apache-2.0

import AppShell
import CAdwaita
import Observation

/// The pages that introduce an app, one at a time, with dots and buttons to skip and to continue.
///
/// `Onboarding` decides all moves. The pages slide if the desktop's animations are on.
struct OnboardingScreen: View {
    let widget: Widget

    /// Creates the screen at the first page.
    ///
    /// - Parameters:
    ///   - pages: The pages, first to last; at least one.
    ///   - finish: The closure to call once the user has finished or skipped the onboarding. It saves that.
    init(_ pages: [OnboardingPage], finish: @escaping () -> Void) {
        let state = State(Onboarding(pages: pages))
        let carousel = Carousel(
            pages.map { OnboardingPageView($0) },
            index: { state.value.index },
            turned: { index in state.value.show(index) }
        )
        func move(_ change: (inout Onboarding) -> Void) {
            let wasFinished = state.value.isFinished
            change(&state.value)
            if state.value.isFinished, !wasFinished { finish() }
        }
        widget = VStack {
            Button("Skip") { move { $0.skip() } }
                .style("flat").aligned(GTK_ALIGN_END).padding(horizontal: 12)
                // Keeps its place.
                .hiddenInPlace { state.value.isLast }
            carousel
            carousel.dots
            Button({ state.value.nextTitle }) { move { $0.advance() } }
                .style("suggested-action", "pill").aligned(GTK_ALIGN_CENTER).padding().focused()
        }
        .onKey("Left") { move { $0.back() } }
        .onKey("Right") { move { $0.next() } }
    }
}
