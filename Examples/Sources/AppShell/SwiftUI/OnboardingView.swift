// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
public import SwiftUI

/// The pages that introduce an app, to swipe, with dots and buttons to skip and to continue.
///
/// ``Onboarding`` decides all moves. If the user has turned on Reduce Motion, the buttons change the page without
/// animation.
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
            TabView(selection: $onboarding.index) {
                ForEach(0..<onboarding.pages.count, id: \.self) { index in
                    OnboardingPageView(page: onboarding.pages[index])
                        .tabItem { Text(onboarding.pages[index].title) }
                        .tag(index)
                }
            }
            .pageStyle()
            Button(onboarding.nextTitle) { move { $0.advance() } }
                .buttonStyle(.borderedProminent)
        }
        .padding()
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }

    private func move(_ change: (inout Onboarding) -> Void) {
        let wasFinished = onboarding.isFinished
        withAnimation(reducesMotion ? nil : .default) { change(&onboarding) }
        if onboarding.isFinished, !wasFinished { finish() }
    }
}
#endif
