// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A sign-in with Apple that the app's own backend carries out in a browser.
///
/// Apple posts its response to an https address and accepts no loopback redirect. So the backend is Apple's client: it
/// redeems Apple's code, verifies the identity token, and redirects the browser to the app with a code of its own. That
/// code is good for one redemption, with the code verifier and the raw nonce, which never leave this device before.
struct AppleRedirectSignIn: Sendable, Redacted {
    /// The app's bundle identifier.
    let clientID: String
    var nonce = Nonce()
    var state = OAuthState()
    var codeVerifier = CodeVerifier()

    /// Returns the URL for the browser to open.
    ///
    /// Contains the state: not for logs.
    ///
    /// - Parameter redirectURI: The URI that the backend redirects to: a loopback address, or an address with the app's
    ///   scheme.
    ///
    /// Wire: `GET /api/auth/apple/start`.
    func url(at backend: BaseURL, redirectURI: String) -> String {
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

    /// Returns whether the untrusted query of a redirect is the response, successful or not: it carries the state.
    func isResponse(_ query: String) -> Bool {
        FormEncoding.decode(query)?.contains { $0 == "state" && state.matches($1) } ?? false
    }

    /// Returns the one-time code in the untrusted query of a redirect, which is secret until it is redeemed.
    ///
    /// - Throws: `AuthSessionError` (`stateMismatch`, `signInCancelled`, `unreachable`, `signInRefused`,
    ///   `invalidResponse`).
    func code(in query: String) throws(AuthSessionError) -> String {
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
            AuthSessionError(.unreachable, serverCode: code, underlying: AppleUnavailable())
        default: AuthSessionError(.signInRefused, serverCode: code)
        }
    }
}

/// The backend can't reach Apple.
private struct AppleUnavailable: Error, CustomStringConvertible {
    let description = "Sign in with Apple is not available at the moment."
}

/// The stored form of a sign-in with Apple that waits for the redirect from the browser.
///
/// Contains nonce, state and code verifier: secret, and valid for one response and a short time.
struct PendingAppleSignIn: PendingSignIn {
    static var kind: String? { "apple" }

    let version: Int
    let kind: String
    /// The backend's address.
    let backend: String
    let clientID: String
    let redirectURI: String
    let nonce: String
    let state: String
    let codeVerifier: String
    let beganAt: Double

    init(_ signIn: AppleRedirectSignIn, at backend: BaseURL, redirectURI: String, beganAt: Date) {
        version = 1
        kind = "apple"
        self.backend = backend.description
        clientID = signIn.clientID
        self.redirectURI = redirectURI
        nonce = signIn.nonce.unredacted
        state = signIn.state.unredacted
        codeVerifier = signIn.codeVerifier.unredacted
        self.beganAt = beganAt.timeIntervalSince1970
    }

    /// Returns the sign-in; nil if it has expired, began at another backend, or is damaged.
    func signIn(at backend: BaseURL, at now: Date) -> AppleRedirectSignIn? {
        guard !isExpired(at: now), self.backend == backend.description, let nonce = try? Nonce(nonce),
            let state = try? OAuthState(state), let verifier = try? CodeVerifier(codeVerifier)
        else { return nil }
        return AppleRedirectSignIn(clientID: clientID, nonce: nonce, state: state, codeVerifier: verifier)
    }
}
