// SPDX-License-Identifier: Apache-2.0

import APIClient
public import AuthCore

/// An authorization response (RFC 6749, 4.1.2), checked against its request.
public struct AuthorizationResponse: Sendable {
    let code: String

    /// Checks an untrusted query of a redirect, without its question mark.
    public init(query: String, to request: AuthorizationRequest) throws(OpenIDError) {
        guard query.utf8.count <= 8_192, let items = FormEncoding.decode(query) else {
            throw OpenIDError(.authorization, .malformedResponse)
        }
        var parameters: [String: String] = [:]
        for (name, value) in items {
            // RFC 6749, 3.1: parameters MUST NOT be included more than once.
            guard parameters.updateValue(value, forKey: name) == nil else {
                throw OpenIDError(.authorization, .malformedResponse)
            }
        }
        guard let state = parameters["state"], request.state.matches(state) else {
            throw OpenIDError(.authorization, .stateMismatch)
        }
        // RFC 9207, 2.4: an issuer that is present MUST be compared, and a promised one MUST be present.
        if let issuer = parameters["iss"], !request.provider.issuer.isNamed(inResponse: issuer) {
            throw OpenIDError(.authorization, .issuerMismatch)
        }
        if let error = parameters["error"] {
            // RFC 6749, 4.1.2.1: the provider sends `access_denied` if the user declines.
            throw OpenIDError(
                .authorization,
                error == OAuthErrorCode.accessDenied.rawValue ? .cancelled : .refused,
                OAuthErrorResponse(
                    code: error,
                    message: parameters["error_description"],
                    sent: SentValues([state, request.nonce, request.codeVerifier.unredacted])
                )
            )
        }
        // RFC 9207, 2, requires `iss` in error responses too, but some providers omit it there. An error response
        // yields nothing but a failure, so only a response with a code must have it.
        guard parameters["iss"] != nil || !request.requiresIssuerInResponse else {
            throw OpenIDError(.authorization, .issuerMismatch)
        }
        guard let code = parameters["code"], !code.isEmpty else {
            throw OpenIDError(.authorization, .malformedResponse)
        }
        self.code = code
    }

    /// Checks a whole untrusted redirect URL, as an app with its own URL scheme receives it.
    public init(redirectedTo url: String, to request: AuthorizationRequest) throws(OpenIDError) {
        guard let query = RedirectAddress.query(of: url, redirectedTo: request.redirectURI) else {
            throw OpenIDError(.authorization, .redirectMismatch)
        }
        try self.init(query: query, to: request)
    }

    /// Returns whether an untrusted redirect URL carries the request's state; nil if it doesn't match the redirect URI.
    package static func isResponse(redirectedTo url: String, to request: AuthorizationRequest) -> Bool? {
        RedirectAddress.query(of: url, redirectedTo: request.redirectURI).map { isResponse(query: $0, to: request) }
    }

    /// Returns whether a query carries the request's state; a query without it never belongs to the request.
    static func isResponse(query: String, to request: AuthorizationRequest) -> Bool {
        FormEncoding.decode(query)?.contains { $0 == "state" && request.state.matches($1) } ?? false
    }

    /// Checks a query that carries the request's state; returns nil for any other.
    ///
    /// Any page can send the browser to the listener: without the state, not even a malformed response ends the wait.
    static func result(query: String, to request: AuthorizationRequest) -> Result<AuthorizationResponse, any Error>? {
        isResponse(query: query, to: request) ? Result { try AuthorizationResponse(query: query, to: request) } : nil
    }
}

/// Hides the code, which can be exchanged for tokens until it is used, if a response is printed or dumped.
extension AuthorizationResponse: Redacted {}
