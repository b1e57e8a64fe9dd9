import AuthCore
import AuthSession
import AuthUI
import SecureStore

/// The code of `Docs/Apps.md`, compiled from outside the package, as its readers do.
///
/// Change both together; ``SampleTests`` shows any difference.
@MainActor
enum AppsSamples {
    static func atLaunch(
        backend: SessionBackend,
        store: any SecureStore,
        device: DeviceInfo
    ) async -> AuthenticationManager {
        let session = AuthSession(backend: backend, store: store)
        let manager = AuthenticationManager(session: session, device: device)
        await manager.restore()
        return manager
    }

    static func show(_ manager: AuthenticationManager, _ settings: AppSettings) {
        let flow = AppFlow(
            session: manager.state,
            isOnboardingCompleted: settings.isOnboardingCompleted
        )
        switch flow.screen {
        case .splash: showSplash()
        case .onboarding: showOnboarding()
        case .locked(let error): showLocked(error)
        case .signIn: showSignIn()
        case .registration: showRegistration()
        case .main(let offlineSince): showMain(banner: offlineSince != nil)
        }
    }

    static func backAgain(_ session: AuthSession) -> Task<Void, Never> {
        let following = Task { await session.reconnectOnNetworkChange() }
        return following
    }

    static func hooks(backend: SessionBackend, store: any SecureStore) -> AuthSession {
        var options = SessionOptions()
        options.didSignIn = { user in await register(user) }
        options.willSignOut = { await unregister() }
        options.didSignOut = { reason in await clean(reason) }
        let session = AuthSession(backend: backend, store: store, options: options)
        return session
    }

    static func olderInstall(backend: SessionBackend, path: String) throws -> any SecureStore {
        let older = try KeyringStore(service: "com.example.older")
        let store = try backend.store(
            KeyringStore(service: "com.example.app"),
            migratingFrom: [
                LegacyStoreItem(try StoreLocationName("older-keyring"), in: older, forKey: try StoreKey("authToken")),
                LegacySettingsValue(try StoreLocationName("settings"), path: path),
            ]
        )
        return store
    }

    private static func showSplash() {}
    private static func showOnboarding() {}
    private static func showLocked(_ error: SecureStoreError) {}
    private static func showSignIn() {}
    private static func showRegistration() {}
    private static func showMain(banner: Bool) {}
    private nonisolated static func register(_ user: SessionUser?) async {}
    private nonisolated static func unregister() async {}
    private nonisolated static func clean(_ reason: SignedOutReason) async {}
}
