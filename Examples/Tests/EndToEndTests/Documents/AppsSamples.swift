import AuthCore
import AuthSession
import AuthUI
import SecureStore

// The code of `Sources/AuthUI/AuthUI.docc/AddingSignInToAnApp.md`, compiled outside of the package.
// Change both together; ``SampleTests`` shows any difference.

@MainActor
func restoredManager(
    backend: SessionBackend,
    store: any SecureStore,
    device: DeviceInfo
) async -> AuthenticationManager {
    let session = AuthSession(backend: backend, store: store)
    let manager = AuthenticationManager(session: session, device: device)
    await manager.restore()
    return manager
}

@MainActor
func screenTitle(_ manager: AuthenticationManager, _ settings: AppSettings) -> String {
    let flow = AppFlow(
        session: manager.state,
        isOnboardingCompleted: settings.isOnboardingCompleted
    )
    switch flow.screen {
    case .splash: return "One moment"
    case .onboarding: return "Welcome"
    case .locked(let error): return error.description
    case .signIn: return "Sign in"
    case .registration: return "Create an account"
    case .main(let offlineSince): return offlineSince == nil ? "Home" : "Home (offline)"
    }
}

@MainActor
func signInWithPassword(_ manager: AuthenticationManager, email: String, password: String) async -> String? {
    await manager.signIn(email: email, password: Password(password))
    return manager.errorMessage
}

func followNetwork(_ session: AuthSession) -> Task<Void, Never> {
    Task { await session.reconnectOnNetworkChange() }
}

protocol NotificationService: Sendable {
    func register(_ user: SessionUser?) async
    func unregister() async
}

func makeSession(
    at backend: SessionBackend,
    in store: any SecureStore,
    notifications: any NotificationService
) -> AuthSession {
    var options = SessionOptions()
    options.didSignIn = { user in await notifications.register(user) }
    options.willSignOut = { await notifications.unregister() }
    options.didSignOut = { reason in print(reason.explanation ?? "Signed out") }
    return AuthSession(backend: backend, store: store, options: options)
}

func migratedStore(for backend: SessionBackend, settingsPath path: String) throws -> any SecureStore {
    let older = try KeyringStore(service: "com.example.older")
    return try backend.store(
        KeyringStore(service: "com.example.app"),
        migratingFrom: [
            LegacyStoreItem(try StoreLocationName("older-keyring"), in: older, forKey: try StoreKey("authToken")),
            LegacySettingsValue(try StoreLocationName("settings"), path: path),
        ]
    )
}
