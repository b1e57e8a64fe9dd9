import AuthSession
import SwiftUI
import Umuve

/// The screen that is due.
struct RootView: View {
    let model: AppModel

    var body: some View {
        Group {
            switch model.screen {
            case .splash: Text(model.brand.wordmark).font(.largeTitle.bold())
            case .onboarding: OnboardingView(pages: model.brand.pages) { model.completeOnboarding() }
            case .signIn, .registration: signIn
            case .locked(let reason): LockedView(reason: reason, manager: model.manager)
            case .main: MainView(brand: model.brand, manager: model.manager)
            }
        }
        .signInRedirects(to: model.manager)
        .task { await model.manager.restore() }
    }

    private var signIn: some View {
        SignInView(manager: model.manager) { Text(model.brand.wordmark).font(.largeTitle.bold()) }
    }
}
