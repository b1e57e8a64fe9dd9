// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AppShell
import AuthCore
import AuthSession
import AuthUI
import Foundation
import Observation
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
    private let api: APIClient
    private let settings: AppSettingsStore
    private var isOnboardingCompleted: Bool

    /// Opens the app's session without reading it yet.
    ///
    /// - Parameters:
    ///   - brand: The app's brand.
    ///   - backend: The address of its backend.
    ///   - push: The push service, which is asked for a token after each sign-in and each restore.
    /// - Throws: `BaseURLError`, `SecureStoreError` if an address or a name is invalid.
    init(_ brand: Brand, backend: String, push: PushService = PushService()) throws {
        self.brand = brand
        settings = AppSettingsStore(
            app: brand.bundleIdentifier,
            legacyOnboardingKeys: brand.legacyOnboardingKeys
        )
        let url = try BaseURL(backend)
        let backend = SessionBackend.firstParty(baseURL: url, contract: .sessionToken)
        typealias Place = @Sendable (_ account: String) throws -> LegacyItem
        let inKeychain = brand.legacyServices.map { service -> Place in
            { .keychain(service: service, account: $0) }
        }
        let inSettings: Place = { [settings] in settings.legacyItem($0) }
        let store = try backend.store(
            try KeychainStore(service: brand.bundleIdentifier),
            migratingFrom: inKeychain + [inSettings]
        )
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
        api = APIClient(authenticatedBy: session)
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

    /// Tells the backend this device's token whenever that is due, until the task is cancelled.
    func registerDevice() async {
        await registration.run(in: manager.session) { [api] token in
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
