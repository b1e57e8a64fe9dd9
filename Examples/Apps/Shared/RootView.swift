import AuthSession
import SwiftUI
import UmuveBrands

/// The screen that is due.
struct RootView: View {
    let model: AppModel
    @Environment(\.scenePhase) private var scenePhase

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
        .task { await model.manager.session.lookAgainAsNetworkReturns() }
        // Whether the server is there shows without a call of the app's; while the store is still read, nobody is asked.
        .onChange(of: scenePhase) { _, phase in
            if phase == .active { Task { await model.manager.session.check() } }
        }
    }

    private var signIn: some View {
        SignInView(manager: model.manager) { Text(model.brand.wordmark).font(.largeTitle.bold()) }
    }
}
