// SPDX-License-Identifier: Apache-2.0

public import APIClient

extension ProviderMetadata {
    /// Fetches a provider's metadata.
    ///
    /// - Parameters:
    ///   - issuer: The provider.
    ///   - transport: The transport that carries the request; nil for the platform's.
    /// - Returns: The metadata. Its issuer is exactly the requested one.
    /// - Throws: ``DiscoveryError``; `CancellationError`.
    public static func discover(issuer: Issuer, transport: (any Transport)? = nil) async throws -> ProviderMetadata {
        var settings = ProviderSettings()
        settings.transport = transport
        return try await discover(issuer: issuer, settings: settings)
    }

    /// Fetches a provider's metadata.
    ///
    /// - Parameters:
    ///   - issuer: The provider.
    ///   - settings: The settings of the requests; a timeout above 15 seconds is reduced to 15 seconds.
    ///   - cache: The cache to use; nil to fetch in any case.
    /// - Returns: The metadata. Its issuer is exactly the requested one, unless the profile's ``IssuerRule`` allows a
    ///   tenant's.
    /// - Throws: ``DiscoveryError``; ``ClientPolicyError`` (`insecureHTTP`); `CancellationError`.
    ///
    /// If the document names no revocation endpoint, the document of RFC 8414 is read, too, because some providers name
    /// their OAuth endpoints only there.
    ///
    /// Wire: `/.well-known/openid-configuration`, `/.well-known/oauth-authorization-server`.
    /// [OpenID Connect Discovery 1.0, 4](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig).
    public static func discover(
        issuer: Issuer,
        settings: ProviderSettings,
        cache: DiscoveryCache? = nil
    ) async throws -> ProviderMetadata {
        try settings.policy.check(issuer)
        if let known = cache?.metadata(of: issuer) { return known }
        var settings = settings
        settings.timeout = min(settings.timeout, .seconds(15))
        // Discovery, 4.1: appended to the issuer's path, with exactly one slash between.
        let url = issuer.baseURL.description + "/.well-known/openid-configuration"
        var metadata = try ProviderMetadata(try await document(at: url, of: issuer, settings), of: issuer)
        if metadata.revocationEndpoint == nil {
            let (completed, isKnown) = try await metadata.completed(settings)
            // Not cached, so that the next call tries the second document again.
            guard isKnown else { return metadata }
            metadata = completed
        }
        cache?.note(metadata, of: issuer)
        return metadata
    }

    /// Fetches the metadata of an authorization server that is used without OpenID Connect.
    ///
    /// - Parameters:
    ///   - issuer: The authorization server.
    ///   - settings: The settings of the requests.
    /// - Returns: The metadata, without signing keys.
    /// - Throws: ``DiscoveryError``; ``ClientPolicyError`` (`insecureHTTP`); `CancellationError`.
    ///
    /// Wire: `/.well-known/oauth-authorization-server`; `/.well-known/openid-configuration` if there is no such document.
    /// [RFC 8414, 3.1](https://www.rfc-editor.org/rfc/rfc8414#section-3.1) and
    /// [5](https://www.rfc-editor.org/rfc/rfc8414#section-5).
    static func discoverAuthorizationServer(
        issuer: Issuer,
        settings: ProviderSettings
    ) async throws -> ProviderMetadata {
        try settings.policy.check(issuer)
        var settings = settings
        settings.timeout = min(settings.timeout, .seconds(15))
        let bytes: [UInt8]
        do {
            bytes = try await document(at: authorizationServerURL(of: issuer), of: issuer, settings)
        } catch let error as DiscoveryError where error.status.map({ !HTTPFailure.isRetryable(status: $0) }) ?? false {
            let other = issuer.baseURL.description + "/.well-known/openid-configuration"
            bytes = try await document(at: other, of: issuer, settings)
        }
        return try ProviderMetadata(bytes, of: issuer, issuesIDTokens: false)
    }

    /// The address of the document of RFC 8414: the well-known path is between the host and the issuer's path (3.1).
    private static func authorizationServerURL(of issuer: Issuer) -> String {
        issuer.baseURL.origin + "/.well-known/oauth-authorization-server" + issuer.baseURL.pathPrefix
    }

    /// Returns the metadata with the endpoints that the provider names only in the document of RFC 8414.
    ///
    /// The metadata stays unchanged if the provider has no such document, or one that can't be used.
    ///
    /// - Returns: The metadata, and whether the result is final: false if the request failed and may succeed later.
    private func completed(_ settings: ProviderSettings) async throws -> (ProviderMetadata, isKnown: Bool) {
        do {
            let bytes = try await Self.document(at: Self.authorizationServerURL(of: issuer), of: issuer, settings)
            return (try adding(bytes), true)
        } catch let error as DiscoveryError {
            let isRetryable = error.code == .unreachable && error.status.map(HTTPFailure.isRetryable) ?? true
            return (self, !isRetryable)
        }
    }

    private static func document(
        at url: String,
        of issuer: Issuer,
        _ settings: ProviderSettings
    ) async throws -> [UInt8] {
        let response: ProviderResponse
        do {
            response = try await ProviderClient(settings: settings).get(try EndpointURL(url, of: issuer))
        } catch let error as APIError {
            throw DiscoveryError(
                error.code == .malformedResponse ? .malformedResponse : .unreachable,
                underlying: error
            )
        } catch let error as BaseURLError {
            throw DiscoveryError(.invalidMember, members: ["issuer"], underlying: error)
        }
        guard response.isSuccess else { throw DiscoveryError(.unreachable, status: response.status) }
        return response.body
    }
}
