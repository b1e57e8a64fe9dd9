// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An authorization request, from the query of the sign-in page or from its form.
///
/// [RFC 6749, 4.1.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1).
struct AuthorizationRequest: Sendable {
    /// The kinds of client.
    enum Kind: Sendable {
        /// A Services ID: as strict as Apple. The response is posted to its return URL.
        case web(scope: Set<String>)
        /// A native app with a loopback redirect and PKCE, which Apple does not allow.
        ///
        /// [RFC 7636, 4.3](https://www.rfc-editor.org/rfc/rfc7636#section-4.3).
        case native(codeChallenge: String)
    }

    let kind: Kind
    let clientID: String
    let redirectURI: String
    let state: String?
    let nonce: String?

    /// The reason that a request is refused.
    enum Refusal: Error {
        /// The client, its redirect URI or a parameter is not valid: the page tells the user, and there is no redirect.
        ///
        /// Apple reports every error in a request in this way.
        case page(error: String, String)
        /// The request of a native app is invalid: the redirect tells the client.
        case redirect(to: String, error: String, state: String?)
    }

    /// Validates a request, the client and its redirect URI first.
    init(fields: FormFields, clients: StandInClients) throws {
        guard let client = fields["client_id"] else {
            throw Refusal.page(error: "invalid_request", "The client_id is missing.")
        }
        if clients.servicesIDs.contains(client) {
            try self.init(web: fields, client, clients)
        } else if clients.nativeApps.contains(client) {
            try self.init(native: fields, client)
        } else {
            throw Refusal.page(error: "invalid_client", "The client_id is unknown to this stand-in.")
        }
    }

    private init(web fields: FormFields, _ client: String, _ clients: StandInClients) throws {
        func refuse(_ sentence: String) -> Refusal { .page(error: "invalid_request", sentence) }
        guard let redirect = fields["redirect_uri"], WebAddress.isPublic(redirect) else {
            throw refuse("The redirect_uri must be https at a domain name, without IP address and localhost.")
        }
        guard redirect == clients.returnURL else { throw refuse("The redirect_uri is not a registered return URL.") }
        guard fields["response_type"] == "code" else {
            throw Refusal.page(error: "unsupported_response_type", "The response_type must be code.")
        }
        let scope = Set((fields["scope"] ?? "").split(separator: " ").map(String.init))
        guard scope.isSubset(of: ["name", "email", "openid"]) else {
            throw Refusal.page(error: "invalid_scope", "The scope may have name and email.")
        }
        let wantsUser = !scope.isDisjoint(with: ["name", "email"])
        guard fields["response_mode"] == "form_post" else {
            throw refuse(
                wantsUser
                    ? "The response_mode must be form_post where name or email are in the scope."
                    : "This stand-in knows the response_mode form_post alone."
            )
        }
        guard (fields["state"] ?? "").utf8.count <= 1_024, (fields["nonce"] ?? "").utf8.count <= 1_024 else {
            throw refuse("The state or the nonce is too long.")
        }
        kind = .web(scope: scope)
        clientID = client
        redirectURI = redirect
        state = fields["state"]
        nonce = fields["nonce"]
    }

    private init(native fields: FormFields, _ client: String) throws {
        guard let redirect = fields["redirect_uri"], Self.isLoopback(redirect) else {
            throw Refusal.page(
                error: "invalid_request",
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
        kind = .native(codeChallenge: challenge)
        clientID = client
        redirectURI = redirect
        self.state = state
        self.nonce = nonce
    }

    /// Whether the identity token has the e-mail address.
    var hasEmail: Bool {
        if case .web(let scope) = kind { scope.contains("email") } else { true }
    }

    /// The fields of the sign-in page's form, in the order of the page.
    var formFields: [(name: String, value: String)] {
        var fields = [("client_id", clientID), ("redirect_uri", redirectURI), ("response_type", "code")]
        if let state { fields.append(("state", state)) }
        if let nonce { fields.append(("nonce", nonce)) }
        switch kind {
        case .web(let scope):
            fields += [("response_mode", "form_post"), ("scope", scope.sorted().joined(separator: " "))]
        case .native(let challenge):
            fields += [("code_challenge", challenge), ("code_challenge_method", "S256")]
        }
        return fields
    }

    /// Whether a redirect URI is plain http on this machine, on any port.
    ///
    /// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
    private static func isLoopback(_ text: String) -> Bool {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: text), parts.scheme == "http", parts.user == nil, parts.password == nil,
            parts.fragment == nil, let host = parts.host
        else { return false }
        return ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host)
    }
}
