// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

/// The one place where a client authenticates, at each endpoint that requires it.
extension OpenIDProvider {
    /// Sends a form as a client, with a new assertion each time that it is sent.
    ///
    /// The form lacks the fields that authenticate the client, and may be secret. `sendGuard` runs just before each
    /// request; false prevents it.
    func post(
        _ form: [(String, String)],
        to endpoint: EndpointURL,
        for operation: OpenIDError.Operation,
        as client: OpenIDClient,
        dpopKey key: DPoPKey? = nil,
        sendGuard: (@Sendable () -> Bool)? = nil
    ) async throws -> ProviderResponse {
        let sender = ProviderClient(settings: settings)
        // RFC 9126, 2.1: `client_id` must appear only once.
        let isNamed = form.contains { $0.0 == "client_id" }
        let credentials = client.credentials
        let named = form + credentials.form.filter { $0.0 != "client_id" || !isNamed }
        let hasAssertion = if case .privateKeyJWT = client.authentication { true } else { false }
        return try await operation.sending {
            try await proofs.sending(to: endpoint, dpopKey: key, hasAssertion: hasAssertion) { proof in
                let form = named + (try await assertion(of: client, at: endpoint))
                return try await sender.post(form, to: endpoint, credentials.fields + proof, sendGuard: sendGuard)
            }
        }
    }

    /// Returns the fields with a new assertion; empty if the client authenticates in another way.
    private func assertion(of client: OpenIDClient, at endpoint: EndpointURL) async throws -> [(String, String)] {
        let assertion: String
        switch client.authentication {
        case .none, .basic, .post:
            return []
        case .privateKeyJWT(let key):
            let audience = audience(of: key, at: endpoint)
            let claims = ClientAssertion(clientID: client.id, audience: audience, issuedAt: proofs.serverTime)
            assertion = try await limited(.signingFailed) { try await claims.signed(by: key) }
        case .identityToken(let source):
            assertion = try await token(of: source)
        }
        return [("client_assertion_type", ClientAssertion.type), ("client_assertion", assertion)]
    }

    /// Returns a source's current identity token, in the time of one request.
    ///
    /// - Throws: ``OpenIDError``; `CancellationError`.
    func token(of source: IdentityTokenSource) async throws -> String {
        try await limited(.identityTokenUnreadable) { try await source.token() }
    }

    /// Returns the audience of an assertion that goes to an endpoint.
    func audience(of key: ClientAssertionKey, at endpoint: EndpointURL) -> String {
        switch key.audience {
        // Metadata may name the token endpoint of another provider, which must not be impersonated from another origin.
        case .tokenEndpoint where endpoint.server.origin == metadata.tokenEndpoint.server.origin:
            metadata.tokenEndpoint.description
        case .issuer, .tokenEndpoint: metadata.issuer.identifier
        }
    }

    /// Returns the secret text that a signer, a function of the app, or a file system makes.
    ///
    /// The time is limited by the timeout of a request, because a session may hold its lock meanwhile. A cancelled
    /// caller doesn't wait for the function.
    func limited(
        _ reason: OpenIDError.Reason,
        _ make: @escaping @Sendable () async throws -> String
    ) async throws -> String {
        try await Deadline(in: settings.timeout, on: MonotonicClock(settings.suspendingClock))
            .limit(throwing: OpenIDError(.clientAssertion, reason), make)
    }
}
