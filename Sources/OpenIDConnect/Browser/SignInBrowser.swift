#if LoopbackRedirect
import AuthCore

/// Which browser a person signs in with, and where it comes back to on this machine.
public struct SignInBrowser: Sendable {
    /// Where the browser comes back to.
    public let redirect: LoopbackRedirect
    /// How long the person has.
    public let patience: Duration
    /// Brings the person to an address.
    package let open: @Sendable (String) async throws -> Void

    /// A browser that the app opens in its own way.
    ///
    /// - Parameters:
    ///   - redirect: Where it comes back to.
    ///   - patience: How long the person has.
    ///   - open: Brings the person to an address; called once the listener is ready for the answer.
    /// - Returns: The browser.
    public static func browser(
        redirect: LoopbackRedirect = LoopbackRedirect(),
        patience: Duration = .seconds(600),
        open: @escaping @Sendable (String) async throws -> Void
    ) -> SignInBrowser {
        SignInBrowser(redirect: redirect, patience: patience, open: open)
    }

    #if os(Linux) || os(macOS)
    /// The person's own browser.
    ///
    /// - Parameters:
    ///   - redirect: Where it comes back to.
    ///   - patience: How long the person has.
    /// - Returns: The browser; where none can be opened the sign-in fails with `AuthorizationError` `noBrowser`.
    public static func systemBrowser(
        redirect: LoopbackRedirect = LoopbackRedirect(),
        patience: Duration = .seconds(600)
    ) -> SignInBrowser {
        SignInBrowser(redirect: redirect, patience: patience) { url in
            guard SystemBrowser.open(url) else { throw AuthorizationError(.noBrowser) }
        }
    }
    #endif

    /// The work, or ``AuthorizationError`` `timedOut` once the person has had long enough.
    package func limited<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: patience)
                throw AuthorizationError(.timedOut)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}
#endif
