import APIClient
import AuthCore
import AuthSession
import OpenIDConnect
import SecureStore
import Umuve

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The person's session with an app's backend, as the shell uses it.
@MainActor
final class ShellAccount {
    /// How long who leaves waits for a refresh or a sign-out that is under way.
    private static let settlingPatience = Duration.seconds(3)

    private let session: AuthSession
    private let manager: AuthenticationManager
    private let api: APIClient
    private let apple: AppleSignIn
    private let settings: AppSettingsStore
    private var signOut: Task<Void, Never>?

    /// Opens it; nothing is read yet.
    ///
    /// - Parameters:
    ///   - brand: Which app.
    ///   - options: Where its backend and its store are.
    /// - Throws: `BaseURLError`, `IssuerError` or `SecureStoreError` where an option can't be used.
    init(_ brand: Brand, _ options: ShellOptions) throws {
        let url = try BaseURL(options.backend)
        let key = ProcessInfo.processInfo.environment["SALLYPORT_API_KEY"].flatMap { $0.isEmpty ? nil : $0 }
        let backend = SessionBackend.firstParty(
            baseURL: url,
            contract: .sessionToken,
            apiKey: try key.map { try APIKey($0) }
        )
        session = AuthSession(
            backend: backend,
            store: try ShellStore.open(options.store, of: brand, profile: options.profile, for: backend)
        )
        manager = AuthenticationManager(session: session)
        api = APIClient(baseURL: url, authenticatedBy: session, apiKey: try key.map { try APIKey($0) })
        apple = AppleSignIn(
            issuer: try Issuer(options.appleIssuer),
            bundleIdentifier: brand.bundleIdentifier,
            appName: brand.name
        )
        settings = try AppSettingsStore(app: brand.bundleIdentifier)
    }

    /// Whether this installation's onboarding is over.
    var isOnboardingCompleted: Bool { settings.load().isOnboardingCompleted }

    /// What the shell needs of it.
    var services: ShellServices {
        ShellServices(
            facts: { [manager] in
                ShellFacts(state: manager.state, isLoading: manager.isLoading, errorMessage: manager.errorMessage)
            },
            restore: { [manager] in await manager.restore() },
            signIn: { [manager, apple] show in
                await manager.signIn { try await apple.signIn(to: $0, showing: show) }
            },
            signOut: { await self.leave() },
            retry: { [manager] in await manager.retry() },
            jobs: { [api, session] in await Self.jobs(api, session) },
            completeOnboarding: { [settings] in
                var changed = settings.load()
                changed.isOnboardingCompleted = true
                // Where it can't be kept, the pages show again at the next launch.
                try? settings.save(changed)
            },
            settle: { await self.settle() }
        )
    }

    private func leave() async {
        let leaving = Task { [manager] in await manager.signOut() }
        signOut = leaving
        await leaving.value
    }

    private static func jobs(_ api: APIClient, _ session: AuthSession) async -> JobsAnswer {
        if let jobs: [Job] = try? await api.send(.get("/api/jobs")) { return .loaded(jobs) }
        // Whether it is the network or the session is the session's to find out, and to show.
        if case .signedIn(_, .online) = await session.check() { return .failed }
        return .notAsked
    }

    /// A refresh whose answer is thrown away would cost the session; and the server is to hear of a sign-out.
    private func settle() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [session, signOut] in
                try? await session.saveAgain()
                await signOut?.value
            }
            group.addTask { try? await Task.sleep(for: Self.settlingPatience) }
            await group.next()
            group.cancelAll()
        }
    }
}
