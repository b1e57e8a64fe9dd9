#if os(Linux)
import AuthSession
import AuthTesting
import Foundation
import OpenIDSession
import TestSupport
import Testing

@testable import AuthUI
@testable import OpenIDSessionTests

/// An app whose sign-in redirects to its own scheme, and the folder of the sockets of its processes.
@MainActor
struct RedirectFixture {
    static let redirectURI = "com.example.recipe:/callback"

    let scheme: PrivateUseScheme
    let folder: TemporaryFolder
    let provider: ProviderFixture

    init() async throws {
        scheme = try #require(PrivateUseScheme("com.example.recipe"))
        folder = try TemporaryFolder()
        var configuration = InProcessProvider.Configuration()
        configuration.clients = [.public(id: "native", redirectURIs: [Self.redirectURI])]
        provider = try await ProviderFixture(configuration)
    }

    /// A running process of the app.
    struct Process {
        let manager: AuthenticationManager
        let listener: RedirectListener
        let handling: Task<Void, Never>
    }

    /// Starts a process of the app.
    ///
    /// - Parameter session: Its session; nil for the fixture's.
    /// - Returns: The process, which handles redirects until it is ended.
    /// - Throws: `SecureStoreError`.
    func launch(_ session: AuthSession? = nil) async throws -> Process {
        let manager = AuthenticationManager(session: session ?? provider.session)
        await manager.restore()
        // The manager follows the session a moment later.
        await Self.wait { !manager.isLoading }
        let listener = try RedirectListener.start(scheme, in: folder.url.path)
        let handling = Task { await manager.handleRedirects(to: listener) }
        return Process(manager: manager, listener: listener, handling: handling)
    }

    /// Ends a process without a sign-out.
    func end(_ process: Process) async {
        process.listener.close()
        await process.handling.value
    }

    /// Waits until the user sees a change.
    static func wait(until condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    /// Begins a sign-in and completes the user's part at the provider.
    ///
    /// - Parameter session: The session; nil for the fixture's.
    /// - Returns: The address that the browser opens the app with.
    /// - Throws: The error of the sign-in.
    func begin(_ session: AuthSession? = nil) async throws -> String {
        let url = try await (session ?? provider.session).beginSignIn(redirectURI: Self.redirectURI)
        return try #require(provider.provider.authorize(url).redirectURL)
    }

    func deliver(_ address: String) async -> Bool {
        await scheme.deliver(address, in: folder.url.path)
    }

    /// Whether a sign-in is pending.
    var isPending: Bool {
        get async throws { try await provider.stored(.pendingSignIn) != nil }
    }
}
#endif
