// SPDX-License-Identifier: Apache-2.0

import AppShell
import UmuveBrands

/// The screen that the app shows now.
struct RootScreen: View {
    let widget: Widget

    /// The kind of a screen, which follows what changes within its kind by itself.
    private enum Kind: Equatable {
        case splash, onboarding, signIn, registration, locked, main

        init(_ screen: AppFlow.Screen) {
            switch screen {
            case .splash: self = .splash
            case .onboarding: self = .onboarding
            case .signIn: self = .signIn
            case .registration: self = .registration
            case .locked: self = .locked
            case .main: self = .main
            }
        }
    }

    init(_ model: AppModel) {
        widget = Switched({ Kind(model.screen) }) { kind in
            switch kind {
            case .splash: SplashScreen(model.brand)
            case .onboarding: OnboardingScreen(model.brand.pages) { model.completeOnboarding() }
            case .signIn:
                model.brand.signInMethod == .apple || model.isAtProvider ? SignInScreen(model) : PasswordScreen(model)
            case .registration: RegistrationScreen(model)
            case .locked: LockedScreen(model)
            case .main: MainScreen(model)
            }
        }
        .expanded()
    }
}
