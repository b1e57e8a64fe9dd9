import AuthCore

/// What a provider sent back through the browser, checked against the request it answers.
///
/// [RFC 6749, 4.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2).
public struct AuthorizationResponse: Sendable {
    let code: String

    /// Checks a response.
    ///
    /// - Parameters:
    ///   - query: The redirect's query, without its question mark. From outside.
    ///   - request: The request that it must answer.
    /// - Throws: ``AuthorizationError``.
    public init(query: String, answering request: AuthorizationRequest) throws(AuthorizationError) {
        guard query.utf8.count <= 8_192, let items = FormEncoding.decode(query) else {
            throw AuthorizationError(.malformed)
        }
        var parameters: [String: String] = [:]
        for (name, value) in items {
            // RFC 6749, 3.1: parameters MUST NOT be included more than once.
            guard parameters.updateValue(value, forKey: name) == nil else { throw AuthorizationError(.malformed) }
        }
        guard let state = parameters["state"], request.state.matches(state) else {
            throw AuthorizationError(.stateMismatch)
        }
        // RFC 9207, 2.4: an issuer that is given MUST be compared.
        if let issuer = parameters["iss"], issuer != request.provider.issuer.identifier {
            throw AuthorizationError(.issuerMismatch)
        }
        if let error = parameters["error"] {
            guard error != "access_denied" else { throw AuthorizationError(.cancelled) }
            throw AuthorizationError(.refused, providerCode: error)
        }
        guard let code = parameters["code"], !code.isEmpty else { throw AuthorizationError(.malformed) }
        self.code = code
    }

    /// Whether a query carries the request's state.
    ///
    /// What does not is no answer to it, whatever else it says.
    static func isAnswer(query: String, to request: AuthorizationRequest) -> Bool {
        FormEncoding.decode(query)?.contains { $0 == "state" && request.state.matches($1) } ?? false
    }
}

/// The code is good for tokens until it is used: printed or dumped, a response does not show it.
extension AuthorizationResponse: CustomStringConvertible, CustomReflectable {
    /// Always the same, without the code.
    public var description: String { "AuthorizationResponse(<redacted>)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
