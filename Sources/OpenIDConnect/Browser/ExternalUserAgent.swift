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
    /// The function that opens a URL in the browser.
    package let open: @Sendable (String) async throws -> Void
    /// The function that is called before the browser opens for a request.
    var announce: @Sendable (AuthorizationRequest) -> Void = { _ in }

    /// Creates a browser that the app opens in its own way, once the listener is ready for the callback.
    public static func browser(
        redirect: LoopbackRedirect? = nil,
        timeout: Duration = .seconds(600),
        open: @escaping @Sendable (String) async throws -> Void
    ) -> ExternalUserAgent {
        ExternalUserAgent(redirect: redirect, timeout: timeout, open: open)
    }

    /// Creates a browser that opens the user's default browser; if none can be opened, the sign-in fails with `noBrowser`.
    public static func systemBrowser(
        redirect: LoopbackRedirect? = nil,
        timeout: Duration = .seconds(600)
    ) -> ExternalUserAgent {
        ExternalUserAgent(redirect: redirect, timeout: timeout) { url in
            guard SystemBrowser.open(url) else { throw OpenIDError(.authorization, .noBrowser) }
        }
    }

    /// Returns the same browser, which announces each request before it opens.
    ///
    /// For help if the browser doesn't return: a provider that refuses a request on its own page does not redirect.
    public func announcing(_ announce: @escaping @Sendable (AuthorizationRequest) -> Void) -> ExternalUserAgent {
        var browser = self
        browser.announce = announce
        return browser
    }

    /// Starts the listener for the browser's redirect, which is the profile's unless the app chose another.
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

    /// Signs the user in and returns the ID token *without* verifying it, for a backend that verifies it and the nonce.
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
        let isPushed = parameters.usesPushedAuthorizationRequest
        let url = try await provider.authorizationURL(for: request, pushed: isPushed)
        let response = try await response(to: request, at: url, from: listener)
        return try await provider.unverifiedIDToken(for: response, to: request)
    }

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
    package func response(
        to request: AuthorizationRequest,
        at url: String,
        from listener: LoopbackListener
    ) async throws -> AuthorizationResponse {
        announce(request)
        return try await callback(at: url, from: listener) { AuthorizationResponse.result(query: $0, to: request) }
    }

    /// Opens a page, waits for its callback, and returns what `check` makes of the first untrusted query that it accepts.
    ///
    /// It returns nil for a callback without the state of the sign-in, and the wait continues.
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

    private final class UnexpectedCallback: Sendable {
        private let came = Mutex(false)

        var hasCome: Bool { came.withLock { $0 } }

        func note() { came.withLock { $0 = true } }
    }
}
#endif
