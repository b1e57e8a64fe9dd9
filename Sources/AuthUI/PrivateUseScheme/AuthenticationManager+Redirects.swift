#if os(Linux)
import AuthCore
public import AuthSession
import Synchronization

extension AuthenticationManager {
    /// Completes sign-ins with the redirects that a listener receives, until it is closed or the task is cancelled.
    ///
    /// Run it in a task that lives as long as the app's screens. It also completes a sign-in that an earlier process
    /// began. An address that is not the response to the pending sign-in changes and shows nothing. Errors of the
    /// sign-in appear in ``errorMessage``, and so does the store's error if the pending sign-in can't be read.
    ///
    /// - Parameter listener: The listener. One task at a time may use it.
    public func handleRedirects(to listener: RedirectListener) async {
        // One after another: a second delivery of an address finds no pending sign-in.
        for await redirect in listener.redirects {
            do {
                guard try await session.isSignInResponse(redirect.address), redirect.accept() else {
                    redirect.decline()
                    continue
                }
            } catch {
                redirect.decline()
                begin()
                end(error)
                continue
            }
            if let awaited = listener.awaited.withLock({ $0 }) {
                awaited.address.finish(.success(redirect.address))
                try? await awaited.end.value()
            } else {
                await signIn { try await $0.completeSignIn(redirectedTo: redirect.address) }
            }
        }
    }

    /// Signs in with a response that redirects to the app, and waits for the redirect.
    ///
    /// Needs ``handleRedirects(to:)`` in another task. Errors appear in ``errorMessage``. After half an hour, when the
    /// pending sign-in has expired, the wait ends with the error `noPendingSignIn` of `AuthSessionError`. If the task is
    /// cancelled, the wait ends, and the sign-in stays pending: the app discards it if the user has cancelled it. If the
    /// process ends, the next one completes the sign-in.
    ///
    /// - Parameters:
    ///   - listener: The listener that receives the redirect.
    ///   - begin: The closure that begins the sign-in and returns the URL for the browser.
    ///   - open: The closure that opens the URL in the browser.
    public func signIn(
        awaitingRedirectTo listener: RedirectListener,
        beginning begin: @escaping @Sendable (AuthSession) async throws -> String,
        opening open: @escaping @Sendable (String) async throws -> Void
    ) async {
        let awaited = AwaitedRedirect()
        let earlier = listener.awaited.withLock { current in
            defer { current = awaited }
            return current
        }
        earlier?.address.finish(.failure(CancellationError()))
        let timer = Task {
            try await Task.sleep(for: .seconds(1_800))
            awaited.address.finish(.failure(AuthSessionError(.noPendingSignIn)))
        }
        defer { timer.cancel() }
        await signIn { session in
            try await open(begin(session))
            try await session.completeSignIn(redirectedTo: awaited.address.value())
        }
        listener.awaited.withLock { current in
            if current?.end === awaited.end { current = nil }
        }
        awaited.end.finish(.success(()))
    }
}
#endif
