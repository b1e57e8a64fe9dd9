// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthSession
import AuthUI
import SwiftUI
import UmuveBrands

/// The view that shows the current screen.
struct RootView: View {
    let model: AppModel
    @Environment(\.scenePhase) private var scenePhase

    var body: some View {
        Group {
            switch model.screen {
            case .splash: WordmarkView(brand: model.brand)
            case .onboarding: OnboardingView(pages: model.brand.pages) { model.completeOnboarding() }
            case .signIn: signIn
            case .registration: RegistrationView(manager: model.manager)
            case .locked(let reason): LockedView(reason: reason, manager: model.manager)
            case .main: MainView(brand: model.brand, manager: model.manager)
            }
        }
        .tint(Color(model.brand.palette.accent))
        .signInRedirects(to: model.manager)
        .task { await model.manager.restore() }
        .task { await model.manager.session.reconnectOnNetworkChange() }
        .task { await model.registerDevice() }
        .task { await model.manager.session.checkAppleCredentialOnRevocation() }
        // Shows whether the server is reachable without a request of the app's own. Sends nothing before the session is
        // restored.
        .onChange(of: scenePhase) { _, phase in
            if phase == .active { Task { await model.manager.session.validate() } }
        }
    }

    private var signIn: some View {
        SignInView(manager: model.manager) { WordmarkView(brand: model.brand) }
    }
}
