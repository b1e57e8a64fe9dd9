// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

/// The checks of the client's policy, made before a request is sent.
extension OpenIDProvider {
    /// Whether the client must bind its tokens to a DPoP key, whatever the app's parameters say.
    ///
    /// True under ``ClientPolicy/fapi2``, unless the provider binds this client's tokens to its TLS certificate.
    package var requiresDPoP: Bool { settings.policy == .fapi2 && !bindsTokensToCertificate }

    /// Whether access tokens are bound to the client's TLS certificate.
    ///
    /// The metadata say only that the provider can do so ([RFC 8705,
    /// 3.3](https://www.rfc-editor.org/rfc/rfc8705#section-3.3)). Whether it does for this client is in the client's
    /// registration ([RFC 8705, 3.4](https://www.rfc-editor.org/rfc/rfc8705#section-3.4)), which only the app knows.
    var bindsTokensToCertificate: Bool {
        guard case .tls = client.authentication, settings.certificateBoundTokens else { return false }
        return metadata.tlsClientCertificateBoundAccessTokens
    }

    /// Returns whether an access token may be bound to a TLS certificate, as far as the client can read it.
    ///
    /// A JWT that is bound has the SHA-256 of the certificate in `cnf` ([RFC 8705,
    /// 3.1](https://www.rfc-editor.org/rfc/rfc8705#section-3.1)). Only the API can compare it. Another token can't be
    /// read.
    static func mayBeBoundToCertificate(_ token: AccessToken) -> Bool {
        guard let jwt = try? UnverifiedJWT(token.unredacted) else { return true }
        let thumbprint = jwt.claims.all["cnf"]?.object?["x5t#S256"]?.string
        return thumbprint.flatMap { Base64URL.decode($0.utf8) }?.count == 32
    }

    /// Checks a client and its provider, before the client authenticates anywhere.
    ///
    /// - Parameter client: The client that authenticates.
    /// - Throws: ``ClientPolicyError``.
    func checkPolicy(of client: OpenIDClient) throws(ClientPolicyError) {
        if case .tls = client.authentication {
            // Without the certificate, the request would be one of a public client.
            guard settings.presentsClientCertificate, settings.transport != nil else {
                throw ClientPolicyError(.noClientCertificate)
            }
        }
        guard settings.policy == .fapi2 else { return }
        try settings.policy.check(metadata.issuer)
        guard metadata.isFromDocument else { throw ClientPolicyError(.metadataByHand) }
        switch client.authentication {
        case .privateKeyJWT(let key):
            guard settings.policy.allows(key.algorithm) else { throw ClientPolicyError(.assertionAlgorithm) }
            guard key.audience == .issuer else { throw ClientPolicyError(.assertionAudience) }
        case .tls: break
        default: throw ClientPolicyError(.clientAuthentication)
        }
    }

    /// The grants of ``ClientPolicy/fapi2``.
    ///
    /// All other grants are refused.
    private static let fapi2Grants: Set<String?> = [
        "authorization_code", "refresh_token", "client_credentials", TokenEndpoint.tokenExchangeGrant,
    ]

    /// Checks a request to the token endpoint.
    ///
    /// - Parameters:
    ///   - grant: The form's fields without the client's.
    ///   - dpopKey: The key that the tokens are bound to; nil for none.
    /// - Throws: ``ClientPolicyError`` (`grantNotAllowed`, `tokensNotBound`).
    func checkPolicy(of grant: [(String, String)], boundTo dpopKey: DPoPKey?) throws(ClientPolicyError) {
        guard settings.policy == .fapi2 else { return }
        guard Self.fapi2Grants.contains(grant.first { $0.0 == "grant_type" }?.1) else {
            throw ClientPolicyError(.grantNotAllowed)
        }
        try checkBinding(to: dpopKey)
    }

    private func checkBinding(to dpopKey: DPoPKey?) throws(ClientPolicyError) {
        guard dpopKey != nil || !requiresDPoP else { throw ClientPolicyError(.tokensNotBound) }
    }

    /// Checks an authorization request, before the browser opens and before its code is exchanged.
    ///
    /// - Parameter request: The request.
    /// - Throws: ``ClientPolicyError``.
    func checkPolicy(of request: AuthorizationRequest) throws(ClientPolicyError) {
        try checkPolicy(of: client)
        guard settings.policy == .fapi2 else { return }
        try checkBinding(to: request.dpopKey)
        guard metadata.pushedAuthorizationRequestEndpoint != nil else { throw ClientPolicyError(.pushNotSupported) }
        guard request.provider.issuer == metadata.issuer, request.provider.authorizationResponseIssParameterSupported,
            request.provider.requirePushedAuthorizationRequests
        else { throw ClientPolicyError(.issuerNotRequired) }
        guard Self.isSecure(redirectURI: request.redirectURI) else { throw ClientPolicyError(.insecureRedirectURI) }
    }

    /// Checks that the device flow is allowed.
    ///
    /// - Throws: ``ClientPolicyError`` (`grantNotAllowed`).
    func checkPolicyForDeviceFlow() throws(ClientPolicyError) {
        guard settings.policy != .fapi2 else { throw ClientPolicyError(.grantNotAllowed) }
    }

    /// Returns whether an authorization response can't be read on its way to a redirect URI.
    ///
    /// FAPI 2.0 Security Profile, 5.3.2.2, item 8; [RFC 8252, 7](https://www.rfc-editor.org/rfc/rfc8252#section-7). The
    /// period in a private-use scheme is that of a domain name (RFC 8252, 7.1 and 8.4).
    private static func isSecure(redirectURI: String) -> Bool {
        let scheme = redirectURI.prefix { $0 != ":" }.lowercased()
        // Plain http is valid only for a loopback address.
        if scheme == "http" || scheme == "https" { return (try? AbsoluteURL(redirectURI)) != nil }
        return scheme.utf8.count < redirectURI.utf8.count && scheme.utf8.contains(UInt8(ascii: "."))
    }
}

extension ClientPolicy {
    /// Returns the metadata with the requirements of the policy, whatever the provider announces.
    ///
    /// FAPI 2.0 Security Profile, 5.3.3.2: every request is pushed (items 2 and 6), and every authorization response
    /// names its issuer (item 5).
    func applied(to metadata: ProviderMetadata) -> ProviderMetadata {
        guard self == .fapi2 else { return metadata }
        var metadata = metadata
        metadata.requirePushedAuthorizationRequests = true
        metadata.authorizationResponseIssParameterSupported = true
        return metadata
    }
}
