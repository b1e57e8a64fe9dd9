// SPDX-License-Identifier: Apache-2.0

/// The OpenID provider whose access tokens the backend accepts at `/api/provider/jobs`.
public struct ProviderSettings: Sendable {
    /// The `iss` of its tokens.
    public var issuer: String
    /// The name of this API, which `aud` must contain.
    public var audience: String
    /// The URL of its keys; https, or http for a provider on this machine.
    public var jwksURI: String
    /// The URL under which clients reach the backend, for DPoP proofs.
    public var baseURL: String

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - issuer: The `iss` of its tokens.
    ///   - audience: The name of this API, which `aud` must contain.
    ///   - jwksURI: The URL of its keys; https, or http for a provider on this machine.
    ///   - baseURL: The URL under which clients reach the backend, for DPoP proofs.
    public init(issuer: String, audience: String, jwksURI: String, baseURL: String) {
        self.issuer = issuer
        self.audience = audience
        self.jwksURI = jwksURI
        self.baseURL = baseURL
    }

    /// Whether the keys come from this machine, where http is no risk.
    var hasLoopbackKeys: Bool {
        ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"].contains { jwksURI.hasPrefix($0) }
    }

    /// Whether the keys come over https, or from this machine.
    public var isSecure: Bool { jwksURI.hasPrefix("https://") || hasLoopbackKeys }
}
