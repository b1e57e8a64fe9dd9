public import AuthCore

/// Signs the person out at the provider, through the browser.
///
/// [OpenID Connect RP-Initiated Logout 1.0, 2](https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout).
public struct EndSessionRequest: Sendable {
    /// What the browser opens.
    ///
    /// Holds the ID token: secret, and not for a process's arguments.
    public let url: String
    private let state: State?

    /// Makes a request; nil where the provider has no such endpoint.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - idToken: The last ID token of the session, where there was one. Secret.
    ///   - redirectURI: Where the browser comes back to, where the provider knows that address; nil to stay there.
    public init?(provider: OpenIDProvider, idToken: IDToken?, redirectURI: String?) {
        guard let endpoint = provider.metadata.optional.endSession else { return nil }
        var form: [(String, String)] = []
        if let idToken { form.append(("id_token_hint", idToken.unredacted)) }
        form.append(("client_id", provider.client.id))
        state = redirectURI.map { _ in State() }
        if let redirectURI, let state {
            form += [("post_logout_redirect_uri", redirectURI), ("state", state.unredacted)]
        }
        url = endpoint.adding(form)
    }

    /// Whether a query is the answer to this request.
    ///
    /// - Parameter query: The redirect's query, without its question mark. From outside.
    /// - Returns: Whether it carries the request's state, once.
    public func isAnswered(by query: String) -> Bool {
        guard let state, let items = FormEncoding.decode(query) else { return false }
        let states = items.filter { $0.0 == "state" }
        return states.count == 1 && state.matches(states[0].1)
    }
}

extension EndSessionRequest: CustomStringConvertible, CustomReflectable {
    /// Always the same.
    public var description: String { "EndSessionRequest(<redacted>)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
