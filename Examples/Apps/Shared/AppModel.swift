import APIClient
import AuthCore
import AuthSession
import AuthUI
import Observation
import SecureStore
import UmuveBrands

/// The state of an app: its session, its settings and the screen to show.
@MainActor
@Observable
final class AppModel {
    let brand: Brand
    let manager: AuthenticationManager
    private let settings: AppSettingsStore
    private var isOnboardingCompleted: Bool

    /// Opens the app's session without reading it yet.
    ///
    /// - Parameters:
    ///   - brand: The app's brand.
    ///   - backend: The address of its backend.
    /// - Throws: `BaseURLError`, `SecureStoreError` if an address or a name is invalid.
    init(_ brand: Brand, backend: String) throws {
        self.brand = brand
        settings = try AppSettingsStore(app: brand.bundleIdentifier)
        let backend = SessionBackend.firstParty(baseURL: try BaseURL(backend), contract: .sessionToken)
        let keychains = try brand.legacyServices.map { service -> any LegacyItemSource in
            LegacyKeychainItem(try StoreLocationName(service), service: service, account: "authToken")
        }
        let store = try backend.store(
            try KeychainStore(service: brand.bundleIdentifier),
            migratingFrom: keychains + [try settings.legacySource()]
        )
        // Makes sure that a sign-out lasts, even if the keychain can't be reached.
        manager = AuthenticationManager(session: AuthSession(backend: backend, store: PinnedStore(store)))
        isOnboardingCompleted = settings.load().isOnboardingCompleted
    }

    /// The screen to show.
    var screen: AppFlow.Screen {
        AppFlow(session: manager.state, isOnboardingCompleted: isOnboardingCompleted).screen
    }

    /// Ends the onboarding; if that can't be saved, the onboarding shows again at the next launch.
    func completeOnboarding() {
        isOnboardingCompleted = true
        var changed = settings.load()
        changed.isOnboardingCompleted = true
        try? settings.save(changed)
    }
}
