// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthSession
import AuthUI
import SwiftUI
import UmuveBrands

/// The view that shows the current screen.
struct RootView: View {
    let model: AppModel
    @Environment(\.colorScheme) private var colorScheme
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
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .tint(Color(model.brand.palette.accent))
        .foregroundStyle(colors.text)
        .background(colors.background)
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

    /// The brand's colours; in dark mode the system's.
    private var colors: (text: AnyShapeStyle, background: AnyShapeStyle) {
        guard colorScheme != .dark else { return (AnyShapeStyle(.primary), AnyShapeStyle(.background)) }
        let palette = model.brand.palette
        return (AnyShapeStyle(Color(palette.text)), AnyShapeStyle(Color(palette.background)))
    }

    @ViewBuilder private var signIn: some View {
        if model.isAtProvider {
            ProviderSignInView(model: model)
        } else {
            SignInView(manager: model.manager) { WordmarkView(brand: model.brand) }
        }
    }
}
