import APIClient
import AuthCore
import AuthSession
import Observation
import SecureStore
import UmuveBrands

/// What an app of the family holds: its session, its settings, and which screen is due.
@MainActor
@Observable
final class AppModel {
    let brand: Brand
    let manager: AuthenticationManager
    private let settings: AppSettingsStore
    private var isOnboardingCompleted: Bool

    /// Opens the app's session; nothing is read yet.
    ///
    /// - Parameters:
    ///   - brand: Which app.
    ///   - backend: Its backend's address.
    /// - Throws: `BaseURLError`, `SecureStoreError` where an address or a name can't be used.
    init(_ brand: Brand, backend: String) throws {
        self.brand = brand
        settings = try AppSettingsStore(app: brand.bundleIdentifier)
        let backend = SessionBackend.firstParty(baseURL: try BaseURL(backend), contract: .sessionToken)
        let keychains = try brand.olderServices.map { service -> any OlderPlace in
            ForeignKeychainItem(try PlaceName(service), service: service, account: "authToken")
        }
        let store = try backend.store(
            try KeychainStore(service: brand.bundleIdentifier),
            takingOverFrom: keychains + [try settings.olderPlace()]
        )
        // A sign-out holds, also while the keychain can't be reached.
        manager = AuthenticationManager(session: AuthSession(backend: backend, store: StickyStore(store)))
        isOnboardingCompleted = settings.load().isOnboardingCompleted
    }

    /// Which screen is due.
    var screen: AppFlow.Screen {
        AppFlow(session: manager.state, isOnboardingCompleted: isOnboardingCompleted).screen
    }

    /// The onboarding is over; where that can't be kept, it shows again at the next launch.
    func completeOnboarding() {
        isOnboardingCompleted = true
        var changed = settings.load()
        changed.isOnboardingCompleted = true
        try? settings.save(changed)
    }
}
