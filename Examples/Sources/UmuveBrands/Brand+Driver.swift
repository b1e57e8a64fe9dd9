// SPDX-License-Identifier: Apache-2.0

import AppShell

extension Brand {
    /// The driver's app, to carry out jobs.
    public static let driver = Brand(
        name: "Umuve Pro",
        wordmark: "Umuve Pro",
        symbolName: "truck.box.fill",
        bundleIdentifier: "com.goumuve.pro",
        legacyServices: ["com.goumuve.pro", "com.goumuve.driver"],
        legacyOnboardingKeys: ["hasCompletedDriverOnboarding"],
        role: "driver",
        completesAccounts: true,
        pages: [
            OnboardingPage(
                symbolName: "mappin.and.ellipse",
                title: "Get jobs nearby",
                text: "See what there is to haul around you, and take what suits you.",
                gradient: .sunrise
            ),
            OnboardingPage(
                symbolName: "calendar.badge.clock",
                title: "Set your schedule",
                text: "Choose the days and hours that you drive. Change them whenever you like.",
                gradient: .dusk
            ),
            OnboardingPage(
                symbolName: "dollarsign.circle",
                title: "Earn on your terms",
                text: "Know what a job pays before you take it, and watch your earnings grow.",
                gradient: .ember
            ),
        ]
    )
}
