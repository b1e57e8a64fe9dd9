import AuthUI

extension Brand {
    /// The driver's app, to carry out jobs.
    public static let driver = Brand(
        name: "Umuve Pro",
        wordmark: "umuve pro",
        bundleIdentifier: "com.goumuve.pro",
        legacyServices: ["com.goumuve.driver"],
        role: "driver",
        pages: [
            OnboardingPage(
                symbolName: "mappin.and.ellipse",
                title: "Get jobs nearby",
                text: "See what there is to haul around you, and take what suits you."
            ),
            OnboardingPage(
                symbolName: "calendar",
                title: "Set your schedule",
                text: "Choose the days and hours that you drive. Change them whenever you like."
            ),
            OnboardingPage(
                symbolName: "dollarsign.circle",
                title: "Earn on your terms",
                text: "Know what a job pays before you take it, and watch your earnings grow."
            ),
        ]
    )
}
