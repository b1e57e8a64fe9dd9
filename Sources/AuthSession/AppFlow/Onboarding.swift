/// Where a person is in the pages that tell what an app is for.
///
/// Every move stays within the pages, and a finished onboarding moves no more: a key that is held down, or a swipe too
/// many, does no harm.
public struct Onboarding: Sendable, Hashable {
    /// The pages, first to last.
    public let pages: [OnboardingPage]
    /// Which page shows, counted from 0.
    public private(set) var index = 0
    /// Whether the person has got started or skipped the rest; the app then notes that it was completed.
    public private(set) var isFinished: Bool

    /// Begins at the first page.
    ///
    /// - Parameter pages: The pages, first to last; without any the onboarding is finished.
    public init(pages: [OnboardingPage]) {
        self.pages = pages
        isFinished = pages.isEmpty
    }

    /// The page that shows; nil where there are none.
    public var page: OnboardingPage? { pages.isEmpty ? nil : pages[index] }

    /// Whether the first page shows, which has nothing before it.
    public var isFirst: Bool { index == 0 }

    /// Whether the last page shows, which offers to get started in place of the next page.
    public var isLast: Bool { index >= pages.count - 1 }

    /// Shows the next page; the last one stays.
    public mutating func next() {
        show(index + 1)
    }

    /// Shows the page before; the first one stays.
    public mutating func back() {
        show(index - 1)
    }

    /// Shows a page, as a dot that is touched does.
    ///
    /// - Parameter index: Which one, counted from 0; the nearest one where there is none.
    public mutating func show(_ index: Int) {
        guard !isFinished else { return }
        self.index = min(max(index, 0), pages.count - 1)
    }

    /// Finishes from any page.
    public mutating func skip() {
        isFinished = true
    }

    /// Finishes from the last page; on any other it does nothing, for none of them offers it.
    public mutating func getStarted() {
        if isLast { isFinished = true }
    }
}
