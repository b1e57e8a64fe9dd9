// SPDX-License-Identifier: Apache-2.0

import AuthSession
import AuthUI
import SwiftUI
import UmuveBrands

/// The app itself: its tabs, with the offline banner above them while the server can't be reached.
struct MainView: View {
    let brand: Brand
    let manager: AuthenticationManager

    var body: some View {
        TabView {
            if brand.role == "driver" {
                page("Jobs", "mappin.and.ellipse", "New jobs nearby show here.")
                page("Earnings", "dollarsign.circle", "What you earn shows here.")
            } else {
                page("Home", "house", "What is on its way shows here.")
                page("Activity", "shippingbox", "What you book shows here.")
            }
            SettingsView(manager: manager).tabItem { Label("Settings", systemImage: "gearshape") }
        }
        .offlineBanner(manager)
    }

    private func page(_ title: String, _ symbol: String, _ text: String) -> some View {
        VStack(spacing: 8) {
            Text(manager.currentUser?.displayName.map { "Hello, \($0)." } ?? "Hello.").font(.headline)
            Text(text)
        }
        .tabItem { Label(title, systemImage: symbol) }
    }
}
