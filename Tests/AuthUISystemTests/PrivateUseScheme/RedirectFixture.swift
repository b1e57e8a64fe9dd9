// SPDX-License-Identifier: Apache-2.0

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
        try await Self.wait { !manager.isLoading }
        let listener = try RedirectListener.start(scheme, in: folder.url.path)
        let handling = Task { await manager.handleRedirects(to: listener) }
        return Process(manager: manager, listener: listener, handling: handling)
    }

    /// Ends a process without a sign-out.
    func end(_ process: Process) async {
        process.listener.close()
        await process.handling.value
    }

    /// A sign-in of a process that waits for its redirect.
    struct SignIn {
        let task: Task<Void, Never>
        /// The pages that it opens, until it ends.
        let pages: AsyncStream<String>

        /// Returns the next page that it opens, or nil if it ends before.
        func page() async -> String? {
            for await page in pages { return page }
            return nil
        }
    }

    /// Signs in and waits for the redirect.
    ///
    /// - Parameters:
    ///   - process: The process.
    ///   - gate: The stream at whose end the sign-in begins; nil for at once.
    /// - Returns: The sign-in, which runs.
    func signIn(in process: Process, after gate: AsyncStream<Void>? = nil) -> SignIn {
        let (pages, browser) = AsyncStream.makeStream(of: String.self)
        let task = Task {
            await process.manager.signIn(awaitingRedirectTo: process.listener) { session in
                if let gate { for await _ in gate {} }
                return try await session.beginSignIn(redirectURI: RedirectFixture.redirectURI)
            } opening: {
                browser.yield($0)
            }
            browser.finish()
        }
        return SignIn(task: task, pages: pages)
    }

    /// Completes the user's part at the provider.
    ///
    /// - Parameter page: The page that the sign-in opened.
    /// - Returns: The address that the browser opens the app with.
    /// - Throws: An error if there is no page, or if it redirects to no address.
    func authorize(_ page: String?) throws -> String {
        let page = try #require(page)
        return try #require(provider.provider.authorize(page).redirectURL)
    }

    /// Waits until the user sees a change.
    static func wait(until condition: () -> Bool) async throws {
        try await waitUntil("the user sees the change") { condition() }
    }

    /// Begins a sign-in and completes the user's part at the provider.
    ///
    /// - Parameter session: The session; nil for the fixture's.
    /// - Returns: The address that the browser opens the app with.
    /// - Throws: The error of the sign-in.
    func begin(_ session: AuthSession? = nil) async throws -> String {
        try authorize(await (session ?? provider.session).beginSignIn(redirectURI: Self.redirectURI))
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
