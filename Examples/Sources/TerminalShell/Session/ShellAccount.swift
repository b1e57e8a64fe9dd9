// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AppShell
import ArgumentParser
import AuthCore
import AuthSession
import AuthUI
import OpenIDConnect
import SecureStore
import SessionStores
import UmuveBrands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The user's session with an app's backend, for the shell.
@MainActor
final class ShellAccount {
    /// The time to wait at the end for a refresh in progress.
    private static let refreshTimeout = Duration.seconds(3)
    /// The time to wait at the end for a sign-out in progress, longer than a keyring may take.
    private static let signOutTimeout = Duration.seconds(10)

    /// The store that holds the session.
    let place: StoreChoice

    private let store: any SecureStore
    private let session: AuthSession
    private let manager: AuthenticationManager
    private let api: APIClient
    private let apple: AppleSignIn
    private let settings: AppSettingsStore
    private let registration = DeviceRegistration()

    /// Opens the account without reading it yet.
    ///
    /// - Parameters:
    ///   - brand: The app's brand.
    ///   - options: The options, with the backend and the store.
    /// - Throws: `ValidationError` if an option is invalid; `SecureStoreError` if the record of the session's location
    ///   can't be read.
    init(_ brand: Brand, _ options: ShellOptions) throws {
        let url = try Self.option("--backend") { try BaseURL(options.backend) }
        let text = ProcessInfo.processInfo.environment["UMUVE_API_KEY"].flatMap { $0.isEmpty ? nil : $0 }
        let key = try Self.option("UMUVE_API_KEY") { try text.map { try APIKey($0) } }
        let contract = brand.signInMethod == .apple ? SessionBackend.Contract.sessionToken : .tokenPair
        let backend = SessionBackend.firstParty(baseURL: url, contract: contract, apiKey: key)
        let scope = try Self.option("--profile") {
            try StoreScope(service: brand.bundleIdentifier, account: options.profile)
        }
        place = try ShellStore.place(options.store, of: scope)
        store = try ShellStore.open(place, of: brand, scope, for: backend)
        let push = StandInPushService(app: brand.bundleIdentifier, profile: scope.account, isKept: place != .memory)
        session = AuthSession(backend: backend, store: store, options: push.options(for: registration))
        manager = AuthenticationManager(
            session: session,
            // The ID of the installation is made only for the backend that gets it.
            device: contract == .tokenPair ? .current(appVersion: "1.0", app: brand.bundleIdentifier) : nil,
            message: { [role = brand.role] in AuthenticationManager.message(for: $0, role: role) }
        )
        api = APIClient(authenticatedBy: session)
        apple = AppleSignIn(
            issuer: try Self.option("--apple-issuer") { try options.appleIssuer.map { try Issuer($0) } },
            bundleIdentifier: brand.bundleIdentifier,
            appName: brand.name
        )
        settings = AppSettingsStore(
            app: brand.bundleIdentifier,
            legacyOnboardingKeys: brand.legacyOnboardingKeys
        )
    }

    /// Parses an option, with its name in the error message.
    private static func option<Value>(_ name: String, _ parse: () throws -> Value) throws -> Value {
        do {
            return try parse()
        } catch {
            throw ValidationError("\(name): \(error)")
        }
    }

    /// Whether the onboarding of this installation was completed.
    var isOnboardingCompleted: Bool { settings.load().isOnboardingCompleted }

    /// The services for the shell.
    var services: ShellServices {
        ShellServices(
            facts: { [manager, registration] in
                ShellFacts(
                    state: manager.state,
                    isLoading: manager.isLoading,
                    errorMessage: manager.errorMessage,
                    isDeviceRegistered: registration.status == .registered
                )
            },
            restore: { [manager] in await manager.restore() },
            signIn: { [manager, apple] show in
                await manager.signIn { try await apple.signIn(to: $0, showing: show) }
            },
            signInWithPassword: { [manager] in
                await manager.signIn(email: $0.email, password: $0.password, rememberMe: $0.isRemembered)
            },
            signOut: { [manager, store] in
                await manager.signOut()
                // Allows another store for the next session. If this fails now, a later sign-out forgets it.
                try? await (store as? RecordedStore)?.forgetIfEmpty()
            },
            retry: { [manager] in await manager.retry() },
            registerDevice: { [api, session, registration] in
                await registration.run(in: session) { token in
                    let body = try RequestBody.json(["token": token, "platform": "terminal"])
                    try await api.send(Endpoint<Void>.post("/api/notifications/token", body: body))
                }
            },
            updateProfile: { [manager] in
                await manager.updateProfile(name: $0.name, phoneNumber: $0.phoneNumber)
            },
            jobs: { [api, session] in await Self.jobs(api, session) },
            completeOnboarding: { [settings] in
                var changed = settings.load()
                changed.isOnboardingCompleted = true
                // If this fails, the pages show again at the next launch.
                try? settings.save(changed)
            },
            settle: { [session] in await Self.settle(session, after: $0) }
        )
    }

    private static func jobs(_ api: APIClient, _ session: AuthSession) async -> JobsResponse {
        // Checks the session first, because another window may have signed out. Other problems appear in the state.
        guard case .signedIn(_, .online) = await session.validate() else { return .notAsked }
        if let jobs: [Job] = try? await api.send(.get("/api/jobs")) { return .loaded(jobs) }
        // The server may have become unreachable in between.
        if case .signedIn(_, .online) = await session.validate() { return .failed }
        return .notAsked
    }

    /// Waits for a refresh, whose lost response would cost the session, and for a sign-out to reach the server.
    private static func settle(_ session: AuthSession, after signOut: Task<Void, Never>?) async -> Bool {
        let isOut = await within(signOutTimeout) { await signOut?.value }
        _ = await within(refreshTimeout) { try? await session.flush() }
        return isOut
    }

    /// Waits for some work up to a time limit, and returns whether it has finished.
    private static func within(_ limit: Duration, _ work: @escaping @Sendable () async -> Void) async -> Bool {
        let (ends, inbox) = AsyncStream.makeStream(of: Bool.self)
        let worker = Task {
            await work()
            inbox.yield(true)
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            inbox.yield(false)
        }
        defer {
            worker.cancel()
            timer.cancel()
        }
        for await isDone in ends { return isDone }
        return false
    }
}
