// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AppShell
import AuthCore
import AuthSession
import AuthUI
import Foundation
import Observation
import OpenIDConnect
import OpenIDSession
import SecureStore
import UmuveBrands

/// The state of an app: its session, its settings and the screen to show.
@MainActor
@Observable
final class AppModel {
    let brand: Brand
    let manager: AuthenticationManager
    /// The registration of this device, to which the app's delegate passes the device's token.
    let registration = DeviceRegistration()
    /// The backend's API; nil at a provider, which has none.
    private let api: APIClient?
    private let settings: AppSettingsStore
    private var isOnboardingCompleted: Bool

    /// Opens the app's session without reading it yet.
    ///
    /// - Parameters:
    ///   - brand: The app's brand.
    ///   - backend: The address of its backend.
    ///   - provider: The provider at which the users sign in, in place of the backend; nil for the backend.
    ///   - push: The push service, which is asked for a token after each sign-in and each restore.
    /// - Throws: `BaseURLError`, `SecureStoreError` if an address or a name is invalid.
    init(
        _ brand: Brand,
        backend: String,
        provider: OpenIDProvider? = nil,
        push: PushService = PushService()
    ) throws {
        self.brand = brand
        settings = AppSettingsStore(
            app: brand.bundleIdentifier,
            legacyOnboardingKeys: brand.legacyOnboardingKeys
        )
        let url = try BaseURL(backend)
        let backend = provider.map { .openID($0) } ?? SessionBackend.firstParty(baseURL: url, contract: .sessionToken)
        typealias Place = @Sendable (_ account: String) throws -> LegacyItem
        let inKeychain = brand.legacyServices.map { service -> Place in
            { .keychain(service: service, account: $0) }
        }
        let inSettings: Place = { [settings] in settings.legacyItem($0) }
        let keychain = try KeychainStore(service: brand.bundleIdentifier)
        // Older versions had no provider.
        let store: any SecureStore =
            provider == nil ? try backend.store(keychain, migratingFrom: inKeychain + [inSettings]) : keychain
        // Makes sure that a sign-out lasts, even if the keychain can't be reached.
        let session = AuthSession(
            backend: backend,
            store: PendingRemovals(store),
            background: BackgroundTime.assertion,
            options: Self.options(push, registration)
        )
        manager = AuthenticationManager(
            session: session,
            message: { [role = brand.role] in AuthenticationManager.message(for: $0, role: role) }
        )
        api = provider == nil ? APIClient(authenticatedBy: session) : nil
        isOnboardingCompleted = settings.load().isOnboardingCompleted
    }

    /// Returns the session's options.
    ///
    /// Behind a restore, Apple's system is asked about the user's Apple Account. After each sign-in and each restore, the
    /// push service is asked for this device's token.
    private static func options(_ push: PushService, _ registration: DeviceRegistration) -> SessionOptions {
        var options = SessionOptions()
        options.didSignIn = { _ in await push.requestToken() }
        options.didRestore = { _ in await push.requestToken() }
        options.didSignOut = { _ in
            await registration.forget()
            await push.endDelivery()
        }
        options.appleCredentialState = { try await AppleCredentialState.current(of: $0) }
        return options
    }

    /// The screen to show.
    var screen: AppFlow.Screen {
        AppFlow(
            session: manager.state,
            isOnboardingCompleted: isOnboardingCompleted,
            completesAccounts: brand.completesAccounts
        ).screen
    }

    /// Whether the users sign in at a provider, in place of the backend.
    var isAtProvider: Bool { manager.session.provider != nil }

    /// Begins a sign-in at the provider, which the address that the browser comes back with finishes.
    ///
    /// It is pending in the keychain, so that the app may be started anew meanwhile.
    ///
    /// - Parameter open: The closure that opens the page in the browser.
    func signIn(opening open: @escaping @MainActor (URL) -> Void) async {
        let redirectURI = brand.redirectURI
        await manager.signIn { session in
            guard let page = URL(string: try await session.beginSignIn(redirectURI: redirectURI)) else { return }
            await open(page)
        }
    }

    /// Tells the backend this device's token whenever that is due, until the task is cancelled.
    func registerDevice() async {
        guard let api else { return }
        await registration.run(in: manager.session) { token in
            let body = try RequestBody.json(["token": token, "platform": "apple"])
            try await api.send(Endpoint<Void>.post("/api/notifications/token", body: body))
        }
    }

    /// Returns a device's token as text, in hexadecimal.
    static func text(of deviceToken: Data) -> String {
        deviceToken.map { String(format: "%02x", $0) }.joined()
    }

    /// Ends the onboarding; if that can't be saved, the onboarding shows again at the next launch.
    func completeOnboarding() {
        isOnboardingCompleted = true
        var changed = settings.load()
        changed.isOnboardingCompleted = true
        try? settings.save(changed)
    }
}
