// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import APIClient
import AuthCore
import Crypto

/// The requests, codes and tokens of a ``CertificateBoundServer``.
struct CertificateBoundGrants: Sendable {
    /// The issued access tokens.
    private(set) var accessTokens: Set<String> = []
    /// The forms of pushed requests, by request URI.
    private var pushed: [String: [String: String]] = [:]
    /// The forms of the requests that the user granted, by code.
    private var codes: [String: [String: String]] = [:]
    /// The client IDs, by refresh token.
    private var refreshTokens: [String: String] = [:]
    private var count = 0

    /// Returns a text that differs from all others.
    private mutating func next(_ prefix: String) -> String {
        count += 1
        return prefix + "\(count)"
    }

    /// Keeps a request, and returns its URI.
    mutating func push(_ form: [String: String]) -> String {
        let uri = next("urn:ietf:params:oauth:request_uri:")
        pushed[uri] = form
        return uri
    }

    /// Grants a pushed request, and returns the query of the redirect; nil for an unknown request.
    mutating func authorize(_ uri: String) -> String? {
        guard let form = pushed.removeValue(forKey: uri) else { return nil }
        let code = next("c-")
        codes[code] = form
        return FormEncoding.encode([("code", code), ("state", form["state"] ?? "")])
    }

    /// Returns whether a client has the grant of a token request, which is then used up.
    mutating func redeem(_ form: [String: String], of client: String) -> Bool {
        switch form["grant_type"] ?? "" {
        case "authorization_code":
            guard let request = codes.removeValue(forKey: form["code"] ?? "") else { return false }
            let challenge = Base64URL.encode(Array(SHA256.hash(data: Array((form["code_verifier"] ?? "").utf8))))
            return request["client_id"] == client && request["redirect_uri"] == form["redirect_uri"]
                && request["code_challenge"] == challenge
        case "refresh_token":
            let token = form["refresh_token"] ?? ""
            guard refreshTokens[token] == client else { return false }
            refreshTokens[token] = nil
            return true
        default:
            return false
        }
    }

    /// Returns a token response whose access token is bound to a certificate (RFC 8705, 3.1).
    mutating func issue(to client: String, boundTo thumbprint: String, by issuer: String) -> String {
        let id = next("")
        let claims = #"{"iss":"\#(issuer)","jti":"\#(id)","cnf":{"x5t#S256":"\#(thumbprint)"}}"#
        // The API knows the tokens that it accepts, and needs no signature.
        let parts = [#"{"alg":"ES256"}"#, claims, "s"]
        let accessToken = parts.map { Base64URL.encode($0.utf8) }.joined(separator: ".")
        accessTokens.insert(accessToken)
        let refreshToken = next("r-")
        refreshTokens[refreshToken] = client
        return #"{"access_token":"\#(accessToken)","token_type":"Bearer","expires_in":300,"#
            + #""refresh_token":"\#(refreshToken)"}"#
    }

    /// Revokes a refresh token of a client.
    mutating func revoke(_ token: String, of client: String) {
        if refreshTokens[token] == client { refreshTokens[token] = nil }
    }
}
#endif
