#if LoopbackRedirect
import AuthCore
import Logging
public import OpenIDConnect
public import SecureStore

/// What became of the person's session at the provider, beside the tokens: the one that the browser has.
///
/// [OpenID Connect RP-Initiated Logout 1.0](https://openid.net/specs/openid-connect-rpinitiated-1_0.html).
public enum ProviderSignOut: Sendable, Hashable {
    /// The provider has no such endpoint.
    case notOffered
    /// The browser was sent there; what the person did there is not known.
    case browserSent
    /// The browser came back from there.
    case done
    /// The browser could not be opened, or did not go there, or did not come back in time.
    case notDone
}

extension AuthSession {
    /// Signs out, as ``signOut(interaction:)``, and sends the browser to the provider, where the person is signed in too.
    ///
    /// The session ends here first, whatever the browser does. The address with the ID token in it stands in no process's
    /// arguments: the browser gets it from a listener on this machine. Cancelled, the session has ended all the same.
    ///
    /// - Parameters:
    ///   - browser: Which browser, and where it comes back to.
    ///   - returns: Whether the provider knows the redirect address as one to come back to after signing out. Then it is
    ///     waited for, for as long as the browser's patience; else no longer than the browser takes to leave.
    ///   - interaction: Whether the store may ask the user.
    /// - Returns: What could and could not be done.
    public func signOut(
        using browser: SignInBrowser,
        returning returns: Bool = false,
        interaction: InteractionPolicy = .never
    ) async -> (result: SignOutResult, provider: ProviderSignOut) {
        await restore(checksServer: false)
        let idToken = held?.record.tokens.idToken
        let wasSignedIn = held != nil
        let result = await signOut(interaction: interaction)
        guard wasSignedIn, let provider = backend.provider, provider.metadata.optional.endSession != nil else {
            return (result, .notOffered)
        }
        do {
            return (result, try await endProviderSession(provider, idToken, browser, returning: returns))
        } catch {
            logger.debug("the browser was not sent to the provider to sign out")
            return (result, .notDone)
        }
    }

    private func endProviderSession(
        _ provider: OpenIDProvider,
        _ idToken: IDToken?,
        _ browser: SignInBrowser,
        returning returns: Bool
    ) async throws -> ProviderSignOut {
        let listener = try await LoopbackListener.start(browser.redirect)
        let redirectURI = returns ? listener.redirectURI : nil
        guard let request = EndSessionRequest(provider: provider, idToken: idToken, redirectURI: redirectURI) else {
            return .notOffered
        }
        guard returns else {
            try await browser.limited { try await listener.send(browserTo: request.url, opening: browser.open) }
            return .browserSent
        }
        try await browser.limited {
            let start = listener.startURL(redirectingTo: request.url)
            try await listener.callback(for: .signOut, opening: { try await browser.open(start) }) { query in
                request.isAnswered(by: query) ? .success(()) : nil
            }
        }
        return .done
    }
}
#endif
