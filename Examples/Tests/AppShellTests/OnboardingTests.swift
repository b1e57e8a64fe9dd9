// SPDX-License-Identifier: Apache-2.0

import AppShell
import Testing

@Suite struct OnboardingTests {
    private static let pages = ["one", "two", "three"].map {
        OnboardingPage(symbolName: "circle", title: $0, text: "Page \($0).")
    }

    private func onboarding(at index: Int = 0) -> Onboarding {
        var onboarding = Onboarding(pages: Self.pages)
        onboarding.show(index)
        return onboarding
    }

    @Test func `an onboarding begins at the first page and is not finished`() {
        let onboarding = Onboarding(pages: Self.pages)
        #expect(onboarding.index == 0)
        #expect(onboarding.page == Self.pages[0])
        #expect(onboarding.isFirst)
        #expect(!onboarding.isLast)
        #expect(!onboarding.isFinished)
    }

    @Test func `next advances through the pages and stays at the last one without finishing`() {
        var onboarding = onboarding()
        var seen: [String?] = []
        for _ in 0..<4 {
            onboarding.next()
            seen.append(onboarding.page?.title)
        }
        #expect(seen == ["two", "three", "three", "three"])
        #expect(onboarding.isLast)
        #expect(!onboarding.isFinished)
    }

    @Test func `back goes through the pages and stays at the first one`() {
        var onboarding = onboarding(at: 2)
        var seen: [String?] = []
        for _ in 0..<4 {
            onboarding.back()
            seen.append(onboarding.page?.title)
        }
        #expect(seen == ["two", "one", "one", "one"])
        #expect(onboarding.isFirst)
    }

    @Test(arguments: [(Int.min, 0), (-1, 0), (0, 0), (1, 1), (2, 2), (3, 2), (Int.max, 2)])
    func `a page index out of range is clamped`(asked: Int, shown: Int) {
        #expect(onboarding(at: asked).index == shown)
        var turned = onboarding()
        turned.index = asked
        #expect(turned == onboarding(at: asked))
    }

    @Test(arguments: [0, 1, 2]) func `skip finishes the onboarding from any page`(index: Int) {
        var onboarding = onboarding(at: index)
        onboarding.skip()
        #expect(onboarding.isFinished)
        #expect(onboarding.index == index)
    }

    @Test func `getStarted finishes the onboarding only on the last page`() {
        for index in 0..<2 {
            var onboarding = onboarding(at: index)
            onboarding.getStarted()
            #expect(onboarding == self.onboarding(at: index))
        }
        var onboarding = onboarding(at: 2)
        onboarding.getStarted()
        #expect(onboarding.isFinished)
    }

    @Test func `a finished onboarding no longer changes`() {
        var onboarding = onboarding(at: 1)
        onboarding.skip()
        let finished = onboarding
        onboarding.next()
        onboarding.back()
        onboarding.show(0)
        onboarding.skip()
        onboarding.getStarted()
        #expect(onboarding == finished)
    }

    @Test func `a single page is both the first and the last`() {
        var onboarding = Onboarding(pages: [Self.pages[0]])
        #expect(onboarding.isFirst)
        #expect(onboarding.isLast)
        onboarding.getStarted()
        #expect(onboarding.isFinished)
    }

    @Test func `an onboarding without pages is finished, and every action is ignored`() {
        var onboarding = Onboarding(pages: [])
        onboarding.next()
        onboarding.back()
        onboarding.show(1)
        onboarding.getStarted()
        onboarding.skip()
        #expect(onboarding.isFinished)
        #expect(onboarding.page == nil)
        #expect(onboarding.index == 0)
    }
}
