// SPDX-License-Identifier: Apache-2.0

import AppShell

extension Brand {
    /// The app for business customers, who sign in with an e-mail address and a password.
    public static let business = Brand(
        name: "Umuve Business",
        wordmark: "umuve business",
        bundleIdentifier: "com.goumuve.business",
        signInMethod: .password,
        role: "customer",
        pages: [
            OnboardingPage(
                symbolName: "shippingbox",
                title: "Book for your company",
                text: "Book pickups for every site of your company, with one account.",
                gradient: .sunrise
            ),
            OnboardingPage(
                symbolName: "calendar",
                title: "Plan ahead",
                text: "Set the days on which the truck comes. Change them whenever you like.",
                gradient: .dusk
            ),
            OnboardingPage(
                symbolName: "checkmark.circle",
                title: "One invoice a month",
                text: "All pickups of a month are on one invoice.",
                gradient: .ember
            ),
        ]
    )
}
