// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import Logging
import OpenIDConnect

/// The outcome of ending the user's session at the provider, which lives in the browser beside the tokens here.
///
/// [OpenID Connect RP-Initiated Logout 1.0](https://openid.net/specs/openid-connect-rpinitiated-1_0.html).
public enum EndSessionOutcome: Sendable, Hashable {
    /// The provider has no end session endpoint that follows the specification, or no user was signed in at a provider.
    case unsupported
    /// The browser was sent to the provider. The user's action there is unknown.
    case initiated
    /// The browser returned from the provider.
    case completed
    /// The browser could not be opened, did not reach the provider, did not return in time, or returned with another
    /// state.
    ///
    /// Also if another user had signed in here before the browser opened.
    case failed
}

extension AuthSession {
    /// Signs out here, and then at the provider.
    ///
    /// - Parameter end: Sends a browser to the provider, with the session's last ID token. Called once the session has
    ///   ended here, if the provider has an end session endpoint. Its error is the outcome `failed`.
    func signOut(
        ending end: (_ provider: OpenIDProvider, _ idToken: IDToken?) async throws -> EndSessionOutcome
    ) async -> (result: SignOutResult, endSession: EndSessionOutcome) {
        await restore(validating: false)
        let current = tokensInHand
        let result = await signOut()
        guard let current, let provider, provider.metadata.endSessionEndpoint != nil else {
            return (result, .unsupported)
        }
        // The page would end the session of a user who has signed in meanwhile in the same browser.
        guard tokensInHand == nil else { return (result, .failed) }
        do {
            return (result, try await end(provider, current.idToken))
        } catch {
            logger.debug("the browser could not be sent to the provider to sign out")
            return (result, .failed)
        }
    }

    /// Signs out here, and then at the provider, through a user agent that shows a page and catches its redirect.
    ///
    /// - Parameters:
    ///   - redirectURI: The redirect URI that the provider accepts after a sign-out; nil to stay there.
    ///   - browser: Opens a secret URL, and returns the redirect or throws `OpenIDError` (`cancelled`).
    func signOut(
        redirectURI: String?,
        through browser: @Sendable (String) async throws -> String
    ) async -> (result: SignOutResult, endSession: EndSessionOutcome) {
        await signOut { provider, idToken in
            guard let request = EndSessionRequest(provider: provider, idToken: idToken, redirectURI: redirectURI) else {
                return .unsupported
            }
            do {
                let callback = try await browser(request.url)
                let address = callback.utf8.prefix { $0 != UInt8(ascii: "#") }
                guard let mark = address.firstIndex(of: UInt8(ascii: "?")) else { return .failed }
                let query = String(Substring(address[mark...].dropFirst()))
                return request.isCompleted(by: query) ? .completed : .failed
            } catch let error as OpenIDError where error.code == .cancelled {
                // The user has seen the page. This device is signed out in any case.
                return .initiated
            }
        }
    }
}
