// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
public import AuthCore
import Synchronization

/// A browser for signing in, and the loopback redirect on this machine.
public struct ExternalUserAgent: Sendable {
    /// The redirect that the browser returns to; nil for the one that the provider's profile names.
    public let redirect: LoopbackRedirect?
    /// The time that the user has to sign in.
    public let timeout: Duration
    /// The function that is called before the browser opens for a request.
    var announce: @Sendable (AuthorizationRequest) -> Void = { _ in }
    /// The function that opens a URL in the browser.
    package let open: @Sendable (String) async throws -> Void

    /// Creates a browser that the app opens in its own way.
    ///
    /// - Parameters:
    ///   - redirect: The redirect that the browser returns to; nil for the one that the provider's profile names.
    ///   - open: The function that opens a URL; called once the listener is ready for the callback.
    public static func browser(
        redirect: LoopbackRedirect? = nil,
        timeout: Duration = .seconds(600),
        open: @escaping @Sendable (String) async throws -> Void
    ) -> ExternalUserAgent {
        ExternalUserAgent(redirect: redirect, timeout: timeout, open: open)
    }

    /// Creates a browser that opens the user's default browser.
    ///
    /// - Parameter redirect: The redirect that the browser returns to; nil for the one that the provider's profile names.
    /// - Returns: The browser. If no browser can be opened, the sign-in fails with ``OpenIDError``
    ///   (`noBrowser`).
    public static func systemBrowser(
        redirect: LoopbackRedirect? = nil,
        timeout: Duration = .seconds(600)
    ) -> ExternalUserAgent {
        ExternalUserAgent(redirect: redirect, timeout: timeout) { url in
            guard SystemBrowser.open(url) else { throw OpenIDError(.authorization, .noBrowser) }
        }
    }

    private init(
        redirect: LoopbackRedirect?,
        timeout: Duration,
        open: @escaping @Sendable (String) async throws -> Void
    ) {
        self.redirect = redirect
        self.timeout = timeout
        self.open = open
    }

    /// Returns the same browser, which announces each request before it opens.
    ///
    /// For an app that shows help if the browser has not returned after a while: a provider that refuses a
    /// request on its own page does not redirect.
    public func announcing(_ announce: @escaping @Sendable (AuthorizationRequest) -> Void) -> ExternalUserAgent {
        var browser = self
        browser.announce = announce
        return browser
    }

    /// Starts the listener for the browser's redirect.
    ///
    /// - Parameter profile: The provider's profile, whose redirect is used unless the app chose another.
    /// - Throws: ``OpenIDError``.
    package func startListener(for profile: ProviderProfile = .standard) async throws -> LoopbackListener {
        try await .start(redirect ?? LoopbackRedirect(profile.redirect))
    }

    /// Performs the work, or throws ``OpenIDError`` (`timedOut`) once `timeout` has passed.
    package func limited<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw OpenIDError(.authorization, .timedOut)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}

extension ExternalUserAgent {
    /// Signs the user in at a provider and returns the ID token *without* verifying it.
    ///
    /// For a backend that takes a provider's ID token and a nonce and verifies them. If the task is cancelled, the
    /// sign-in ends at once and the listener closes.
    ///
    /// - Parameter nonce: The nonce that the ID token must contain; its preimage may stay with the caller.
    /// - Returns: The ID token, unverified. Secret.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    public func unverifiedIDToken(
        from provider: OpenIDProvider,
        _ parameters: AuthorizationParameters,
        nonce: String
    ) async throws -> IDToken {
        let listener = try await startListener(for: provider.profile)
        let request = AuthorizationRequest(
            provider: provider.metadata,
            clientID: provider.client.id,
            redirectURI: listener.redirectURI,
            parameters: parameters,
            nonce: nonce
        )
        let url = try await provider.authorizationURL(
            for: request,
            pushed: parameters.usesPushedAuthorizationRequest
        )
        let response = try await response(to: request, at: url, from: listener)
        return try await provider.unverifiedIDToken(for: response, to: request)
    }
}

extension ExternalUserAgent {
    /// Opens a page that is no provider's, and waits for its redirect to this machine.
    ///
    /// If cancelled, it ends at once and the listener closes.
    ///
    /// - Parameters:
    ///   - page: The function that returns the page's URL for the listener's redirect URI.
    ///   - check: The function that judges a redirect's query, which is untrusted. If it returns nil, the wait continues.
    /// - Returns: The value that `check` returned.
    /// - Throws: The errors of `check` and of opening the browser; ``OpenIDError``; `CancellationError`.
    public func redirect(
        _ page: (_ redirectURI: String) -> String,
        _ check: @escaping @Sendable (_ query: String) throws -> String?
    ) async throws -> String {
        let listener = try await startListener()
        return try await callback(at: page(listener.redirectURI), from: listener) { query in
            do { return try check(query).map { .success($0) } } catch { return .failure(error) }
        }
    }

    /// Opens the provider's page and waits for the callback.
    ///
    /// A callback without the request's state is ignored, and the wait continues. If no callback with the state follows
    /// in time, the sign-in fails with `stateMismatch` and not with `timedOut`: the provider, or an attacker on the
    /// way, has changed the state.
    ///
    /// - Parameter request: The request whose response is awaited.
    /// - Throws: ``OpenIDError``; the errors of opening the browser; `CancellationError`.
    package func response(
        to request: AuthorizationRequest,
        at url: String,
        from listener: LoopbackListener
    ) async throws -> AuthorizationResponse {
        announce(request)
        return try await callback(at: url, from: listener) { AuthorizationResponse.result(query: $0, to: request) }
    }

    /// Opens a page and waits for its callback.
    ///
    /// - Parameter check: The function that judges a callback's query, which is untrusted. It returns nil for a callback
    ///   without the state of the sign-in, and the wait continues.
    /// - Returns: The value that `check` made of the first callback that it accepted.
    /// - Throws: The errors of `check` and of opening the browser; ``OpenIDError``; `CancellationError`.
    package func callback<Value: Sendable>(
        at url: String,
        from listener: LoopbackListener,
        _ check: @escaping @Sendable (_ query: String) -> Result<Value, any Error>?
    ) async throws -> Value {
        let unexpected = UnexpectedCallback()
        do {
            return try await limited {
                try await listener.callback(for: .signIn, opening: { try await open(url) }) { query in
                    let result = check(query)
                    if result == nil { unexpected.note() }
                    return result
                }
            }
        } catch let error as OpenIDError where error == OpenIDError(.authorization, .timedOut) && unexpected.hasCome {
            throw OpenIDError(.authorization, .stateMismatch)
        }
    }

    /// A flag that is set once a callback without the request's state has arrived.
    private final class UnexpectedCallback: Sendable {
        private let came = Mutex(false)

        var hasCome: Bool { came.withLock { $0 } }

        func note() { came.withLock { $0 = true } }
    }
}
#endif
