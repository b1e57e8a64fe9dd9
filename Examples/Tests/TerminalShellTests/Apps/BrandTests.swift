import AuthUI
import Testing
import UmuveBrands

@Suite("The brands")
struct BrandTests {
    @Test func `the apps are called what their owner calls them`() {
        #expect(Brand.all.map(\.name) == ["Umuve", "Umuve Pro"])
        #expect(Brand.all.map(\.wordmark) == ["umuve", "umuve pro"])
    }

    @Test func `the apps are told apart by identifier and by role`() {
        #expect(Brand.all.map(\.bundleIdentifier) == ["com.goumuve.app", "com.goumuve.pro"])
        #expect(Brand.all.map(\.role) == ["customer", "driver"])
    }

    @Test func `the older service names are the ones that shipped, and none of today's`() {
        #expect(Brand.all.map(\.legacyServices) == [["com.goumuve.customer"], ["com.goumuve.driver"]])
        #expect(Set(Brand.all.flatMap(\.legacyServices)).isDisjoint(with: Brand.all.map(\.bundleIdentifier)))
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
    func `the pages of the onboarding are three, in this order`(brand: Brand, titles: [String]) {
        #expect(brand.titles == titles)
    }

    @Test(arguments: Brand.all)
    func `every page says something, and has a symbol of its own`(brand: Brand) {
        for page in brand.pages {
            #expect(page.text.contains { $0.isLetter }, "\(page.title)")
            #expect(page.symbolName.contains { $0.isLetter }, "\(page.title)")
        }
        #expect(Set(brand.pages.map(\.symbolName)).count == brand.pages.count)
    }
}
