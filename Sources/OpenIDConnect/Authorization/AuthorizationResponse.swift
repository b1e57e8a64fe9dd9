public import AuthCore

/// An authorization response, checked against its request.
///
/// [RFC 6749, 4.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2).
public struct AuthorizationResponse: Sendable {
    let code: String

    /// Checks a response.
    ///
    /// - Parameters:
    ///   - query: The redirect's query, without its question mark. Untrusted.
    ///   - request: The request that the response must belong to.
    /// - Throws: ``AuthorizationError`` (`malformed`, `stateMismatch`, `issuerMismatch`, `cancelled`, `refused`).
    public init(query: String, to request: AuthorizationRequest) throws(AuthorizationError) {
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
        // RFC 9207, 2.4: an issuer that is present MUST be compared, and a promised one MUST be present.
        if let issuer = parameters["iss"], !request.provider.issuer.isNamed(issuer) {
            throw AuthorizationError(.issuerMismatch)
        }
        if let error = parameters["error"] {
            // RFC 6749, 4.1.2.1: the provider sends `access_denied` if the user declines.
            throw AuthorizationError(
                error == OAuthErrorCode.accessDenied.rawValue ? .cancelled : .refused,
                OAuthErrorResponse(
                    code: error,
                    message: parameters["error_description"],
                    hiding: [state, request.nonce, request.codeVerifier.unredacted]
                )
            )
        }
        // RFC 9207, 2, requires `iss` in error responses too, but some providers omit it there. An error response
        // yields nothing but a failure, so only a response with a code must have it.
        guard parameters["iss"] != nil || !request.provider.authorizationResponseIssParameterSupported else {
            throw AuthorizationError(.issuerMismatch)
        }
        guard let code = parameters["code"], !code.isEmpty else { throw AuthorizationError(.malformed) }
        self.code = code
    }

    /// Checks a whole redirect URL, as an app with its own URL scheme receives it.
    ///
    /// - Parameters:
    ///   - url: The URL. Untrusted.
    ///   - request: The request that the response must belong to.
    /// - Throws: ``AuthorizationError`` (`redirectMismatch` if the URL doesn't match the request's redirect URI;
    ///   `malformed`, `stateMismatch`, `issuerMismatch`, `cancelled`, `refused`).
    public init(redirectedTo url: String, to request: AuthorizationRequest) throws(AuthorizationError) {
        guard let query = Self.query(of: url, redirectedTo: request.redirectURI) else {
            throw AuthorizationError(.redirectMismatch)
        }
        try self.init(query: query, to: request)
    }

    /// Returns the query of a redirect URL; nil if the URL doesn't match the redirect URI.
    ///
    /// RFC 3986, 6.2.2.1: scheme and host are compared without regard to case; browsers write them in lowercase.
    static func query(of url: String, redirectedTo redirectURI: String) -> String? {
        guard url.utf8.count <= 16_384 else { return nil }
        // The request didn't ask for a response in the fragment.
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
            // No authority, as in `com.example.app:/callback`: the path begins after the scheme.
            return lowercased(bytes[..<afterScheme]) + bytes[afterScheme...]
        }
        let path = bytes[(afterScheme + 2)...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        // After an authority, an empty path equals "/".
        let rest = bytes[path...] == [UInt8(ascii: "/")] ? [] : bytes[path...]
        return lowercased(bytes[..<path]) + rest
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Returns whether a redirect URL carries the request's state.
    ///
    /// - Parameters:
    ///   - url: The URL. Untrusted.
    ///   - request: The request.
    /// - Returns: Whether it is the request's response, a success or an error; nil if the URL doesn't match the
    ///   redirect URI.
    package static func isResponse(redirectedTo url: String, to request: AuthorizationRequest) -> Bool? {
        query(of: url, redirectedTo: request.redirectURI).map { isResponse(query: $0, to: request) }
    }

    /// Returns whether a query carries the request's state.
    ///
    /// A query without it never belongs to the request.
    static func isResponse(query: String, to request: AuthorizationRequest) -> Bool {
        FormEncoding.decode(query)?.contains { $0 == "state" && request.state.matches($1) } ?? false
    }
}

/// Hides the code, which can be exchanged for tokens until it is used, if a response is printed or dumped.
extension AuthorizationResponse: Redacted {}
