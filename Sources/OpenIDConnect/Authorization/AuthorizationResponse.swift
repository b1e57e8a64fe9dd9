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
        // RFC 9207, 2.4: an issuer that is given MUST be compared, and one that was promised MUST be there.
        if let issuer = parameters["iss"], !request.provider.issuer.isNamed(issuer) {
            throw AuthorizationError(.issuerMismatch)
        }
        if let error = parameters["error"] {
            // RFC 6749, 4.1.2.1: `access_denied` is what a provider answers if the user says no.
            throw AuthorizationError(
                error == OAuthErrorCode.accessDenied.rawValue ? .cancelled : .refused,
                OAuthRefusal(
                    code: error,
                    message: parameters["error_description"],
                    hiding: [state, request.nonce, request.codeVerifier.unredacted]
                )
            )
        }
        // Asked of a code alone: some leave it out with an error, from which nothing is taken but that it failed.
        guard parameters["iss"] != nil || !request.provider.abilities.sendsIssuer else {
            throw AuthorizationError(.issuerMismatch)
        }
        guard let code = parameters["code"], !code.isEmpty else { throw AuthorizationError(.malformed) }
        self.code = code
    }

    /// Checks a whole redirect, as an app is handed it that has a scheme of its own.
    ///
    /// - Parameters:
    ///   - url: The address. From outside.
    ///   - request: The request that it must answer.
    /// - Throws: ``AuthorizationError`` (`otherRedirect` where it is another address than the request's redirect URI).
    public init(redirectedTo url: String, answering request: AuthorizationRequest) throws(AuthorizationError) {
        guard let query = Self.query(of: url, redirectedTo: request.redirectURI) else {
            throw AuthorizationError(.otherRedirect)
        }
        try self.init(query: query, answering: request)
    }

    /// What follows the redirect URI; nil where the address is another one.
    ///
    /// RFC 3986, 6.2.2.1: scheme and host are compared without case, and browsers write them small.
    static func query(of url: String, redirectedTo redirectURI: String) -> String? {
        guard url.utf8.count <= 16_384 else { return nil }
        // A response in the fragment was not asked for.
        let address = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        let parts = address.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let target = parts.first, normalized(Substring(target)) == normalized(redirectURI[...]) else {
            return nil
        }
        return parts.count > 1 ? String(Substring(parts[1])) : ""
    }

    private static func normalized(_ address: Substring) -> [UInt8] {
        let bytes = Array(address.utf8)
        let afterScheme = bytes.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
        guard bytes[afterScheme...].starts(with: "//".utf8) else {
            // No authority, as in `com.example.app:/callback`: the path begins behind the scheme.
            return lowercased(bytes[..<afterScheme]) + bytes[afterScheme...]
        }
        let path = bytes[(afterScheme + 2)...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        // With an authority, no path is the root.
        let rest = bytes[path...] == [UInt8(ascii: "/")] ? [] : bytes[path...]
        return lowercased(bytes[..<path]) + rest
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Whether a whole redirect goes to the request's address and carries its state.
    ///
    /// - Parameters:
    ///   - url: The address. From outside.
    ///   - request: The request.
    /// - Returns: Whether it is the answer, good or bad; nil where it is another address.
    package static func isAnswer(redirectedTo url: String, to request: AuthorizationRequest) -> Bool? {
        query(of: url, redirectedTo: request.redirectURI).map { isAnswer(query: $0, to: request) }
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
