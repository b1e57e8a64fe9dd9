// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import AuthCore
public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// Signs out as `signOut()` does, and sends the browser to the provider's end session endpoint.
    ///
    /// The session ends here first, whatever the browser does, also if the task is cancelled. The browser gets the URL,
    /// which contains the ID token, from a listener on this machine, so that no process's arguments contain it.
    ///
    /// - Parameter returns: Whether the provider accepts the redirect address after a sign-out. If true, the call waits
    ///   for the redirect up to the browser's timeout. If false, it returns once the browser was sent to the provider.
    public func signOut(
        using browser: ExternalUserAgent,
        returning returns: Bool = false
    ) async -> (result: SignOutResult, endSession: EndSessionOutcome) {
        await signOut { provider, idToken in
            guard provider.profile.supportsEndSession else { return .unsupported }
            // Without a redirect back, any free port serves.
            let listener = returns ? try await browser.startListener(for: provider.profile) : try await .start()
            let redirectURI = returns ? listener.redirectURI : nil
            guard let request = EndSessionRequest(provider: provider, idToken: idToken, redirectURI: redirectURI) else {
                return .unsupported
            }
            guard returns else {
                try await browser.limited { try await listener.send(browserTo: request.url, opening: browser.open) }
                return .initiated
            }
            try await browser.limited {
                let start = listener.startURL(redirectingTo: request.url)
                try await listener.callback(for: .signOut, opening: { try await browser.open(start) }) { query in
                    request.isCompleted(by: query) ? .success(()) : nil
                }
            }
            return .completed
        }
    }
}
#endif
