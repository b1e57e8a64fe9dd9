// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AuthCore
public import AuthSession
import Synchronization

extension AuthenticationManager {
    /// Completes sign-ins with the redirects that a listener receives, until it is closed or the task is cancelled.
    ///
    /// Run it in a task that lives as long as the app's screens. It also completes a sign-in that an earlier process
    /// began. An address that is not the response to the pending sign-in changes and shows nothing. Errors of the
    /// sign-in appear in ``errorMessage``, and so does the store's error if a sign-in of this process waits for its
    /// redirect and the pending sign-in can't be read.
    ///
    /// - Parameter listener: The listener. One task at a time may use it.
    public func handleRedirects(to listener: RedirectListener) async {
        // One after another: a second delivery of an address finds no pending sign-in.
        for await redirect in listener.redirects {
            // Read before the pending sign-in, which is an earlier one until the awaited one has begun.
            let begun = listener.awaited.withLock { $0 }.flatMap { $0.beginning.isFinished ? $0 : nil }
            do {
                guard try await session.isSignInResponse(redirect.address), redirect.accept() else {
                    redirect.decline()
                    continue
                }
            } catch {
                redirect.decline()
                // Every address gets this far, also a forged one: the error is shown only to a user who waits.
                if begun != nil {
                    begin()
                    end(error)
                }
                continue
            }
            let awaited = listener.awaited.withLock { $0 }
            if let awaited, awaited.end === begun?.end {
                awaited.address.finish(.success(redirect.address))
                try? await awaited.end.value()
            } else {
                await signIn { session in
                    try await session.completeSignIn(redirectedTo: redirect.address)
                    // The user is signed in, and needs no page of a sign-in that is just beginning.
                    awaited?.address.finish(.failure(CancellationError()))
                }
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
    /// An earlier sign-in that uses the same listener ends without an error and opens no page any more. This one begins
    /// once the earlier one's closure `begin` has returned.
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
            try await earlier?.beginning.value()
            try awaited.checkCancellation()
            let url = try await awaited.unlessReplaced { try await begin(session) }
            awaited.beginning.finish(.success(()))
            try await open(url)
            try await session.completeSignIn(redirectedTo: awaited.address.value())
        }
        listener.awaited.withLock { current in
            if current?.end === awaited.end { current = nil }
        }
        awaited.end.finish(.success(()))
        // If it did not begin, no redirect must be handed to it before this point. The one before may still begin: a
        // later sign-in waits for both.
        Task {
            try? await earlier?.beginning.value()
            awaited.beginning.finish(.success(()))
        }
    }
}
#endif
