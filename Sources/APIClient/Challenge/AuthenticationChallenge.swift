/// One way to authenticate that a server offers with a 401, or says what was wrong with.
///
/// All of it is the server's word. Schemes and parameter names are compared without regard to case, so they are kept in
/// lower case.
///
/// Wire: `WWW-Authenticate`. [RFC 9110, 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1).
package struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme in lower case, `bearer` for one.
    package let scheme: String
    /// The credential-like text that some schemes have instead of parameters, `Negotiate` for one.
    package let token68: String?
    /// The parameters, their names in lower case.
    ///
    /// Of a name that comes twice, which RFC 9110, 11.2 forbids, the first one counts.
    package let parameters: [String: String]

    /// Makes a challenge.
    ///
    /// - Parameters:
    ///   - scheme: The scheme, in any case.
    ///   - token68: What stands instead of parameters.
    ///   - parameters: The parameters, their names in lower case.
    package init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme.lowercased()
        self.token68 = token68
        self.parameters = parameters
    }

    /// Whether it is about an access token: `Bearer` or `DPoP`.
    ///
    /// [RFC 6750, 3](https://www.rfc-editor.org/rfc/rfc6750#section-3),
    /// [RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1).
    package var isAboutAccessTokens: Bool { scheme == "bearer" || scheme == "dpop" }

    /// What was wrong with the request, `invalid_token` for one.
    package var error: String? { parameters["error"] }
}
