// SPDX-License-Identifier: Apache-2.0

import APIClient
public import AuthCore

/// A request that ends the user's session at the provider, through the browser (RP-Initiated Logout 1.0).
public struct EndSessionRequest: Sendable {
    /// The URL that the browser opens; secret, because it contains the ID token: don't pass it as a process argument.
    public let url: String
    private let state: OAuthState?

    /// Creates a request; nil if the provider has no end session endpoint that follows the specification.
    ///
    /// The redirect URI must be registered at the provider; nil to stay there.
    public init?(provider: OpenIDProvider, idToken: IDToken?, redirectURI: String?) {
        guard provider.profile.supportsEndSession, let endpoint = provider.metadata.endSessionEndpoint
        else { return nil }
        var form: [(String, String)] = []
        if let idToken { form.append(("id_token_hint", idToken.unredacted)) }
        form.append(("client_id", provider.client.id))
        state = redirectURI.map { _ in OAuthState() }
        if let redirectURI, let state {
            form += [("post_logout_redirect_uri", redirectURI), ("state", state.unredacted)]
        }
        url = endpoint.adding(form)
    }

    /// Returns whether an untrusted query, without its question mark, contains the request's state exactly once.
    public func isCompleted(by query: String) -> Bool {
        guard let state, let items = FormEncoding.decode(query) else { return false }
        let states = items.filter { $0.0 == "state" }
        return states.count == 1 && state.matches(states[0].1)
    }
}

extension EndSessionRequest: Redacted {}
