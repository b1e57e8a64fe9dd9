// SPDX-License-Identifier: Apache-2.0

package import APIClient
import AuthCore

/// A sign-in with Apple that the app's own backend carries out in a browser.
///
/// Apple posts its response to an https address and accepts no loopback redirect. So the backend is Apple's client: it
/// redeems Apple's code, verifies the identity token, and redirects the browser to the app with a code of its own. That
/// code is good for one redemption, with the code verifier and the raw nonce, which never leave this device before.
package struct AppleRedirectSignIn: Sendable, Redacted {
    /// The app's bundle identifier.
    let clientID: String
    /// The URI that the backend redirects to: a loopback address, or an address with the app's scheme.
    let redirectURI: String
    let nonce: Nonce
    let state: OAuthState
    let codeVerifier: CodeVerifier

    /// Creates a sign-in with a new nonce, state and code verifier.
    ///
    /// - Parameters:
    ///   - clientID: The app's bundle identifier.
    ///   - redirectURI: The URI that the backend redirects to.
    package init(clientID: String, redirectURI: String) {
        self.init(
            clientID: clientID,
            redirectURI: redirectURI,
            nonce: Nonce(),
            state: OAuthState(),
            codeVerifier: CodeVerifier()
        )
    }

    init(clientID: String, redirectURI: String, nonce: Nonce, state: OAuthState, codeVerifier: CodeVerifier) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.nonce = nonce
        self.state = state
        self.codeVerifier = codeVerifier
    }

    /// Returns the URL for the browser to open.
    ///
    /// Contains the state: not for logs.
    ///
    /// - Parameter backend: The backend's address.
    /// - Returns: The URL.
    ///
    /// Wire: `GET /api/auth/apple/start`.
    package func url(at backend: BaseURL) -> String {
        let query = FormEncoding.encode([
            ("client_id", clientID),
            ("redirect_uri", redirectURI),
            ("state", state.unredacted),
            ("nonce", nonce.sha256),
            ("code_challenge", codeVerifier.codeChallenge),
            ("code_challenge_method", "S256"),
        ])
        return "\(backend)/api/auth/apple/start?\(query)"
    }

    /// Returns whether the query of a redirect carries the state of this sign-in.
    ///
    /// - Parameter query: The query. Untrusted.
    /// - Returns: Whether it is the response, successful or not.
    package func isResponse(_ query: String) -> Bool {
        FormEncoding.decode(query)?.contains { $0 == "state" && state.matches($1) } ?? false
    }

    /// Returns the one-time code in the query of a redirect.
    ///
    /// - Parameter query: The query. Untrusted.
    /// - Returns: The code. Secret until it is redeemed.
    /// - Throws: ``AuthSessionError`` (`stateMismatch`, `signInCancelled`, `unreachable`, `signInRefused`,
    ///   `invalidResponse`).
    package func code(in query: String) throws(AuthSessionError) -> String {
        guard query.utf8.count <= 8_192, let items = FormEncoding.decode(query) else {
            throw AuthSessionError(.invalidResponse)
        }
        var parameters: [String: String] = [:]
        for (name, value) in items {
            guard parameters.updateValue(value, forKey: name) == nil else { throw AuthSessionError(.invalidResponse) }
        }
        guard let state = parameters["state"], self.state.matches(state) else {
            throw AuthSessionError(.stateMismatch)
        }
        if let error = parameters["error"] { throw Self.failure(error) }
        guard let code = parameters["code"], (1...512).contains(code.utf8.count) else {
            throw AuthSessionError(.invalidResponse)
        }
        return code
    }

    /// Returns the error for the `error` parameter of a redirect.
    private static func failure(_ text: String) -> AuthSessionError {
        let isCode = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(TokenCharacters.isUnreserved)
        let code = isCode ? ServerErrorCode(rawValue: text) : nil
        return switch text {
        case "access_denied": AuthSessionError(.signInCancelled, serverCode: code)
        case "temporarily_unavailable":
            AuthSessionError(
                .unreachable,
                serverCode: code,
                explanation: "Sign in with Apple is not available at the moment."
            )
        default: AuthSessionError(.signInRefused, serverCode: code)
        }
    }
}
