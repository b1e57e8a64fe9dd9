// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
public import SwiftUI

/// The pages that introduce an app, one at a time, with dots and buttons to skip and to continue.
///
/// ``Onboarding`` decides all moves. If the user has turned on Reduce Motion, the pages change without animation.
public struct OnboardingView: View {
    private let finish: () -> Void
    @State private var onboarding: Onboarding
    @Environment(\.accessibilityReduceMotion) private var reducesMotion

    /// Creates the view at the first page.
    ///
    /// - Parameters:
    ///   - pages: The pages, first to last; at least one.
    ///   - finish: The closure to call once the user has finished or skipped the onboarding. It saves that.
    public init(pages: [OnboardingPage], finish: @escaping () -> Void) {
        self.finish = finish
        _onboarding = State(initialValue: Onboarding(pages: pages))
    }

    public var body: some View {
        VStack(spacing: 24) {
            HStack {
                Spacer()
                Button("Skip") { move { $0.skip() } }
                    .opacity(onboarding.isLast ? 0 : 1)
                    .disabled(onboarding.isLast)
                    .accessibilityHidden(onboarding.isLast)
            }
            Spacer()
            if let page = onboarding.page {
                OnboardingPageView(page: page)
                    .id(onboarding.index)
                    .transition(.opacity)
            }
            Spacer()
            PageDots(count: onboarding.pages.count, index: onboarding.index) { index in move { $0.show(index) } }
            Button(onboarding.isLast ? "Get started" : "Next") {
                move { $0.isLast ? $0.getStarted() : $0.next() }
            }
            .buttonStyle(.borderedProminent)
        }
        .padding()
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .contentShape(Rectangle())
        .onPageSwipe(back: { move { $0.back() } }, next: { move { $0.next() } })
    }

    private func move(_ change: (inout Onboarding) -> Void) {
        let wasFinished = onboarding.isFinished
        withAnimation(reducesMotion ? nil : .easeInOut(duration: 0.25)) { change(&onboarding) }
        if onboarding.isFinished, !wasFinished { finish() }
    }
}
#endif
