// SPDX-License-Identifier: Apache-2.0

import AppShell
import Testing
import UmuveBrands

@Suite("The brands")
struct BrandTests {
    @Test func `the apps have their owner's names`() {
        #expect(Brand.all.map(\.name) == ["Umuve", "Umuve Pro"])
        #expect(Brand.all.map(\.wordmark) == ["umuve", "Umuve Pro"])
    }

    @Test func `the apps differ in identifier and role`() {
        #expect(Brand.all.map(\.bundleIdentifier) == ["com.goumuve.app", "com.goumuve.pro"])
        #expect(Brand.all.map(\.role) == ["customer", "driver"])
    }

    @Test func `the legacy service names are those of shipped versions`() {
        #expect(
            Brand.all.map(\.legacyServices) == [
                ["com.goumuve.app", "com.goumuve.customer"], ["com.goumuve.pro", "com.goumuve.driver"],
            ]
        )
    }

    @Test(
        arguments: zip(
            Brand.all,
            [
                ["Book a pickup", "Track your driver", "Done: hauling made simple"],
                ["Get jobs nearby", "Set your schedule", "Earn on your terms"],
            ]
        )
    )
    func `the onboarding has three pages in this order`(brand: Brand, titles: [String]) {
        #expect(brand.titles == titles)
    }

    @Test(
        arguments: zip(
            Brand.all,
            [
                ["shippingbox", "mappin.and.ellipse", "checkmark.circle"],
                ["mappin.and.ellipse", "calendar.badge.clock", "dollarsign.circle"],
            ]
        )
    )
    func `every page has text and its own symbol`(brand: Brand, symbols: [String]) {
        #expect(brand.pages.allSatisfy { $0.text.contains(where: \.isLetter) })
        #expect(brand.pages.map(\.symbolName) == symbols)
        #expect(Set(symbols).count == symbols.count)
    }
}
