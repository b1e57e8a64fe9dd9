// SPDX-License-Identifier: Apache-2.0

extension ProviderMetadata {
    /// The names of the endpoints at which a client may present its TLS certificate.
    static let aliasedEndpoints = [
        "token_endpoint", "revocation_endpoint", "pushed_authorization_request_endpoint",
        "device_authorization_endpoint", "userinfo_endpoint",
    ]

    /// The metadata with the aliases in place of the endpoints that have one.
    ///
    /// [RFC 8705, 5](https://www.rfc-editor.org/rfc/rfc8705#section-5): a client that uses mutual TLS MUST prefer them.
    var withMutualTLSEndpoints: ProviderMetadata {
        var metadata = self
        metadata.tokenEndpoint = mtlsEndpointAliases["token_endpoint"] ?? tokenEndpoint
        metadata.revocationEndpoint = mtlsEndpointAliases["revocation_endpoint"] ?? revocationEndpoint
        metadata.pushedAuthorizationRequestEndpoint =
            mtlsEndpointAliases["pushed_authorization_request_endpoint"] ?? pushedAuthorizationRequestEndpoint
        metadata.deviceAuthorizationEndpoint =
            mtlsEndpointAliases["device_authorization_endpoint"] ?? deviceAuthorizationEndpoint
        metadata.userInfoEndpoint = mtlsEndpointAliases["userinfo_endpoint"] ?? userInfoEndpoint
        return metadata
    }
}
