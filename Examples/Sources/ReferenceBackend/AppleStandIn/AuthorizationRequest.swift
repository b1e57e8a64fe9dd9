#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An authorization request, from the query of the sign-in page or from its form.
///
/// [RFC 6749, 4.1.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1),
/// [RFC 7636, 4.3](https://www.rfc-editor.org/rfc/rfc7636#section-4.3).
struct AuthorizationRequest: Sendable {
    let clientID: String
    let redirectURI: String
    let state: String
    let nonce: String
    let codeChallenge: String

    /// The reason that a request is refused.
    enum Refusal: Error {
        /// The client or the redirect URI is not trusted: the page tells the user, and there is no redirect.
        case page(String)
        /// The request is invalid: the redirect tells the client.
        case redirect(to: String, error: String, state: String?)
    }

    /// Validates a request, the client and its redirect URI first.
    init(fields: FormFields, clients: Set<String>) throws {
        guard let client = fields["client_id"], clients.contains(client) else {
            throw Refusal.page("The client_id is unknown to this stand-in.")
        }
        guard let redirect = fields["redirect_uri"], Self.isLoopback(redirect) else {
            throw Refusal.page(
                "The redirect_uri must be an http address on this machine (127.0.0.1, [::1], localhost)."
            )
        }
        let state = fields["state"]
        func refuse(_ error: String) -> Refusal { .redirect(to: redirect, error: error, state: state) }
        guard fields["response_type"] == "code" else { throw refuse("unsupported_response_type") }
        guard let state, (1...1024).contains(state.utf8.count), let nonce = fields["nonce"],
            (1...1024).contains(nonce.utf8.count), fields["code_challenge_method"] == "S256",
            let challenge = fields["code_challenge"], Data(base64URL: challenge)?.count == 32
        else { throw refuse("invalid_request") }
        clientID = client
        redirectURI = redirect
        self.state = state
        self.nonce = nonce
        codeChallenge = challenge
    }

    /// The fields of the sign-in page's form, in the order of the page.
    var formFields: [(name: String, value: String)] {
        [
            ("client_id", clientID), ("redirect_uri", redirectURI), ("response_type", "code"), ("state", state),
            ("nonce", nonce), ("code_challenge", codeChallenge), ("code_challenge_method", "S256"),
        ]
    }

    /// Whether a redirect URI is plain http on this machine, on any port.
    ///
    /// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
    static func isLoopback(_ text: String) -> Bool {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: text), parts.scheme == "http", parts.user == nil, parts.password == nil,
            parts.fragment == nil, let host = parts.host
        else { return false }
        return ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host)
    }
}
