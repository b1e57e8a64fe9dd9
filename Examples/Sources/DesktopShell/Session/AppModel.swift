// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AppShell
import ArgumentParser
import AuthCore
import AuthSession
import AuthUI
import Foundation
import Observation
import OpenIDConnect
import OpenIDSession
import SecureStore
import SessionStores
import UmuveBrands

/// The state of an app: its session, its settings and the screen to show.
@Observable
final class AppModel {
    let brand: Brand
    let manager: AuthenticationManager
    /// The registration of this device.
    let registration = DeviceRegistration()
    let jobs: Jobs
    /// The page of the sign-in that waits for the browser, which the user opens if no browser does.
    ///
    /// Contains the state: not for logs.
    private(set) var page: String?
    private var isOnboardingCompleted: Bool
    /// Whether the session is kept after the program's end, by the last sign-in.
    private var isSessionKept = true
    private var signingIn: Task<Void, Never>?

    /// The backend's API; nil at a provider, which has none.
    @ObservationIgnored private let api: APIClient?
    @ObservationIgnored private let options: DesktopOptions
    @ObservationIgnored private let place: StoreChoice
    @ObservationIgnored private let store: any SecureStore
    @ObservationIgnored private let settings: AppSettingsStore
    @ObservationIgnored private let apple: AppleSignIn
    @ObservationIgnored private var opening: Task<Void, Never>?
    @ObservationIgnored private var cancelling: Task<Void, Never>?
    @ObservationIgnored private var signingOut: Task<Void, Never>?

    /// Opens the app's session without reading it yet.
    ///
    /// - Parameters:
    ///   - brand: The app's brand.
    ///   - options: The options, with the backend and the store.
    ///   - provider: The provider at which the users sign in, in place of the backend, and the opened store; nil for the
    ///     backend.
    /// - Throws: `ValidationError` if an option is invalid; `SecureStoreError` if the record of the session's location
    ///   can't be read.
    init(
        _ brand: Brand,
        _ options: DesktopOptions,
        at provider: (openID: OpenIDProvider, store: any SecureStore)? = nil
    ) throws {
        (self.brand, self.options) = (brand, options)
        let contract = brand.signInMethod == .apple ? SessionBackend.Contract.sessionToken : .tokenPair
        let scope = try options.scope(of: brand)
        place = try SessionStore.place(options.store, of: scope)
        let backend: SessionBackend
        if let provider {
            (backend, store) = (.openID(provider.openID), provider.store)
        } else {
            backend = try options.backend(of: contract)
            store = try SessionStore.open(place, of: brand, scope, for: backend)
        }
        let push = StandInPushService(app: brand.bundleIdentifier, profile: scope.account, isKept: place != .memory)
        let session = AuthSession(backend: backend, store: store, options: push.options(for: registration))
        manager = AuthenticationManager(
            session: session,
            // The ID of the installation is made only for the backend that gets it.
            device: provider == nil && contract == .tokenPair
                ? .current(appVersion: "1.0", app: brand.bundleIdentifier) : nil,
            message: { [role = brand.role] in AuthenticationManager.message(for: $0, role: role) }
        )
        api = provider == nil ? APIClient(authenticatedBy: session) : nil
        jobs = Jobs(of: session, from: api)
        apple = AppleSignIn(
            issuer: try DesktopOptions.parse("--apple-issuer") { try options.appleIssuer.map { try Issuer($0) } },
            bundleIdentifier: brand.bundleIdentifier,
            appName: brand.name
        )
        settings = AppSettingsStore(
            app: brand.bundleIdentifier,
            legacyOnboardingKeys: brand.legacyOnboardingKeys
        )
        isOnboardingCompleted = settings.load().isOnboardingCompleted
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

    /// Whether a sign-in waits for the browser or the server.
    var isSigningIn: Bool { signingIn != nil || page != nil }

    /// Whether the session is in a file under the secret portal's key.
    var isInPortal: Bool { place == .portal }

    /// A sentence that says where the session is kept.
    var placeSentence: String { isSessionKept ? place.sentence : StoreChoice.memory.sentence }

    /// Ends the onboarding; if that can't be saved, the onboarding shows again at the next launch.
    func completeOnboarding() {
        isOnboardingCompleted = true
        change { $0.isOnboardingCompleted = true }
    }

    /// Remembers where the user signs in, for a start without arguments.
    ///
    /// As long as the store holds a session of another server, that one is remembered.
    private func rememberServer() {
        guard manager.state != .signedOut(.unreadableRecord(.otherBackend)) else { return }
        var servers = settings.load().servers ?? [:]
        guard servers[options.profile] != options.server else { return }
        servers[options.profile] = options.server
        change { $0.servers = servers }
    }

    private func change(_ body: (inout AppSettings) -> Void) {
        var changed = settings.load()
        body(&changed)
        try? settings.save(changed)
    }
}

/// The sign-in and the sign-out.
extension AppModel {
    /// Signs in in the system's browser: with Apple by the backend, or at the provider.
    func signIn() {
        let redirectURI = brand.redirectURI
        beginSignIn { [apple] session in
            let show: @Sendable (String) -> Void = { page in Task { @MainActor in self.page = page } }
            guard session.provider != nil else { return try await apple.signIn(to: session, showing: show) }
            // The browser comes back by the scheme, perhaps to another process: the sign-in is pending in the store.
            let page = try await session.beginSignIn(redirectURI: redirectURI)
            show(page)
            SystemBrowser.open(page)
        }
    }

    /// Signs in with what the user has typed.
    func signIn(email: String, password: Password, isRemembered: Bool) {
        guard !isSigningIn else { return }
        rememberServer()
        isSessionKept = isRemembered
        signingIn = Task {
            await manager.signIn(email: email, password: password, rememberMe: isRemembered)
            if manager.isAuthenticated { rememberServer() }
            signingIn = nil
        }
    }

    private func beginSignIn(_ body: @escaping @Sendable (AuthSession) async throws -> Void) {
        guard !isSigningIn else { return }
        rememberServer()
        signingIn = Task {
            await cancelling?.value
            await manager.signIn(body)
            if manager.isAuthenticated { rememberServer() }
            // A provider's sign-in ends later, by an address.
            if !isAtProvider || manager.errorMessage != nil { page = nil }
            signingIn = nil
        }
    }

    /// Ends the sign-in in progress, and a late response of the browser changes nothing.
    func cancelSignIn() {
        signingIn?.cancel()
        opening?.cancel()
        guard signingIn == nil else { return }
        page = nil
        cancelling = Task { try? await manager.session.cancelPendingSignIn() }
    }

    /// Completes the pending sign-in if the address is its response; another address changes and shows nothing.
    func open(_ address: URL) async {
        let task = Task { [earlier = opening] in
            await withTaskCancellationHandler {
                await earlier?.value
            } onCancel: {
                earlier?.cancel()
            }
            await cancelling?.value
            guard !Task.isCancelled, await manager.handleOpenURL(address) else { return }
            page = nil
            if manager.isAuthenticated { rememberServer() }
        }
        opening = task
        await task.value
    }

    /// Signs out; the session here ends in any case.
    func signOut() {
        signingOut = Task { [earlier = signingOut] in
            await manager.signOut()
            // Allows another store for the next session. If this fails now, a later sign-out forgets it.
            try? await (store as? RecordedStore)?.forgetIfEmpty()
            await earlier?.value
        }
    }

    /// Asks the user to unlock the keyring, and reads the session.
    func unlock() async {
        // Not a sign-in, but the user waits for it and reads its error in the same place.
        await manager.signIn { [store] _ in try await store.unlock(timeout: .seconds(120)) }
        if manager.errorMessage == nil { await manager.retry() }
    }
}

/// The work of an app that runs.
extension AppModel {
    /// Restores the session and keeps its data up to date, until the process ends.
    ///
    /// - Parameter interval: The interval of requests to the server while the main screen shows.
    func run(checkingEvery interval: Duration) async {
        let session = manager.session
        async let registering: Void = registerDevice()
        async let network: Void = session.reconnect(on: NetworkChanges.stream())
        async let loading: Void = loadJobs()
        await manager.restore()
        while (try? await Task.sleep(for: interval)) != nil {
            if case .main(offlineSince: nil) = screen { await jobs.load() }
        }
        _ = await (registering, network, loading)
    }

    /// Tells the backend this device's token whenever that is due.
    private func registerDevice() async {
        guard let api else { return }
        await registration.run(in: manager.session) { token in
            let body = try RequestBody.json(["token": token, "platform": "linux"])
            try await api.send(Endpoint<Void>.post("/api/notifications/token", body: body))
        }
    }

    /// Loads the jobs whenever a user is online whose jobs are not known.
    private func loadJobs() async {
        for await state in manager.session.states {
            guard case .signedIn(let user, .online) = state, jobs.jobs(of: user) == nil else { continue }
            await jobs.load()
        }
    }

    /// Waits for a sign-out to reach the server, and for requests whose lost response would cost the session.
    ///
    /// Returns whether the sign-out has finished.
    func finishWork() async -> Bool {
        signingIn?.cancel()
        // No longer than a request may take.
        _ = await Self.within(.seconds(35)) { [signingIn, opening] in
            await signingIn?.value
            await opening?.value
        }
        let isOut = await Self.within(.seconds(10)) { [signingOut] in await signingOut?.value }
        _ = await Self.within(.seconds(3)) { [session = manager.session] in try? await session.flush() }
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
