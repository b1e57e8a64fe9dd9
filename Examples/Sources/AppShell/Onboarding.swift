// SPDX-License-Identifier: Apache-2.0

/// The user's position in the pages that introduce an app.
///
/// Every move stays within the pages, and a finished onboarding no longer moves. A key that is held down or an extra
/// swipe does no harm.
public struct Onboarding: Sendable, Hashable {
    /// The pages, first to last.
    public let pages: [OnboardingPage]
    /// The index of the page that shows, from 0; set as by ``show(_:)``.
    public var index: Int {
        get { shown }
        set { show(newValue) }
    }
    private var shown = 0
    /// Whether the user has finished or skipped the onboarding; the app then saves that.
    public private(set) var isFinished: Bool

    /// Creates an onboarding at its first page; it is finished if there are no pages.
    public init(pages: [OnboardingPage]) {
        self.pages = pages
        isFinished = pages.isEmpty
    }

    /// The page that shows, or nil if there are no pages.
    public var page: OnboardingPage? { pages.isEmpty ? nil : pages[index] }

    /// Whether the first page shows, which has no page before it.
    public var isFirst: Bool { index == 0 }

    /// Whether the last page shows, which offers to get started instead of a next page.
    public var isLast: Bool { index >= pages.count - 1 }

    /// The title of the button that leads on.
    public var nextTitle: String { isLast ? "Get Started" : "Next" }

    /// Shows the next page, or finishes the onboarding from the last one.
    public mutating func advance() {
        if isLast { getStarted() } else { next() }
    }

    /// Shows the next page, or stays at the last one.
    public mutating func next() {
        show(index + 1)
    }

    /// Shows the previous page, or stays at the first one.
    public mutating func back() {
        show(index - 1)
    }

    /// Shows a page; the index is clamped to the pages that exist.
    public mutating func show(_ index: Int) {
        guard !isFinished else { return }
        shown = min(max(index, 0), pages.count - 1)
    }

    /// Finishes the onboarding from any page.
    public mutating func skip() {
        isFinished = true
    }

    /// Finishes the onboarding from the last page, and does nothing on any other page.
    public mutating func getStarted() {
        if isLast { isFinished = true }
    }
}
