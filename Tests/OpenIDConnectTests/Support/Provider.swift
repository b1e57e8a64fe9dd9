// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import OpenIDConnect

/// A provider whose metadata a test writes.
enum Provider {
    static let issuer = "https://provider.example"

    static let document = """
        {"issuer":"https://provider.example","authorization_endpoint":"https://provider.example/authorize",\
        "token_endpoint":"https://provider.example/oauth/token","jwks_uri":"https://provider.example/keys"}
        """

    static func discover(_ document: String = document, issuer: String = issuer) async throws -> ProviderMetadata {
        let transport = ScriptedTransport { _ in .json(document) }
        return try await .discover(issuer: Issuer(issuer), transport: transport)
    }

    static func request(
        redirectURI: String = "http://127.0.0.1:1/callback",
        document: String = document,
        parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> AuthorizationRequest {
        AuthorizationRequest(
            provider: try await discover(document),
            clientID: "client & co",
            redirectURI: redirectURI,
            parameters: parameters,
            nonce: "public-1-nonce"
        )
    }
}

extension ProviderMetadata {
    /// Fetches metadata through a transport, with the usual settings.
    static func discover(issuer: Issuer, transport: any Transport) async throws -> ProviderMetadata {
        var settings = ProviderSettings()
        settings.transport = transport
        return try await discover(issuer: issuer, settings: settings)
    }
}
