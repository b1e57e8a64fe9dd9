// SPDX-License-Identifier: Apache-2.0

import AppShell

extension Brand {
    /// The customer's app, to book a pickup.
    public static let customer = Brand(
        name: "Umuve",
        wordmark: "umuve",
        bundleIdentifier: "com.goumuve.app",
        legacyServices: ["com.goumuve.app", "com.goumuve.customer"],
        role: "customer",
        pages: [
            OnboardingPage(
                symbolName: "shippingbox",
                title: "Book a pickup",
                text: "Say what has to go, where and when. You see the price before you book.",
                gradient: .sunrise
            ),
            OnboardingPage(
                symbolName: "mappin.and.ellipse",
                title: "Track your driver",
                text: "Follow the truck on the map, from the first turn to your door.",
                gradient: .dusk
            ),
            OnboardingPage(
                symbolName: "checkmark.circle",
                title: "Done: hauling made simple",
                text: "We load it, take it away and send you the receipt.",
                gradient: .ember
            ),
        ]
    )
}
