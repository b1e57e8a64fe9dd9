// SPDX-License-Identifier: Apache-2.0

import APIClient

extension ProviderMetadata {
    /// Fetches a provider's metadata.
    ///
    /// A timeout above 15 seconds is reduced to 15 seconds.
    ///
    /// - Returns: The metadata. Its issuer is exactly the requested one, unless the profile's ``IssuerRule`` allows a
    ///   tenant's.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    ///
    /// If the document names no revocation endpoint, the document of RFC 8414 is read, too, because some providers name
    /// their OAuth endpoints only there.
    ///
    /// Wire: `/.well-known/openid-configuration`, `/.well-known/oauth-authorization-server`.
    /// [OpenID Connect Discovery 1.0, 4](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig).
    public static func discover(
        issuer: Issuer,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> ProviderMetadata {
        var settings = settings
        settings.timeout = min(settings.timeout, .seconds(15))
        // Discovery, 4.1: appended to the issuer's path, with exactly one slash between.
        let url = issuer.baseURL.description + "/.well-known/openid-configuration"
        let metadata = try ProviderMetadata(try await document(at: url, of: issuer, settings), of: issuer)
        return metadata.revocationEndpoint == nil ? try await metadata.completed(settings) : metadata
    }

    /// The address of the document of RFC 8414: the well-known path is between the host and the issuer's path (3.1).
    static func authorizationServerURL(of issuer: Issuer) -> String {
        issuer.baseURL.origin + "/.well-known/oauth-authorization-server" + issuer.baseURL.pathPrefix
    }

    /// Returns the metadata with the endpoints that the provider names only in the document of RFC 8414.
    ///
    /// The metadata stays unchanged if the provider has no such document, or none that can be fetched and used.
    private func completed(_ settings: ProviderSettings) async throws -> ProviderMetadata {
        do {
            return try adding(
                try await Self.document(at: Self.authorizationServerURL(of: issuer), of: issuer, settings)
            )
        } catch is OpenIDError {
            return self
        }
    }

    static func document(
        at url: String,
        of issuer: Issuer,
        _ settings: ProviderSettings
    ) async throws -> [UInt8] {
        let response: ProviderResponse
        do {
            response = try await ProviderClient(settings: settings).get(try EndpointURL(url, of: issuer))
        } catch let error as APIError {
            throw OpenIDError(.discovery, error)
        } catch let error as BaseURLError {
            throw OpenIDError(.discovery, .invalidMember("issuer"), underlying: error)
        }
        guard response.isSuccess else { throw OpenIDError(missingDocument: response, settings) }
        return response.body
    }
}

extension OpenIDError {
    /// Creates the error of a response without a document.
    init(missingDocument response: ProviderResponse, _ settings: ProviderSettings) {
        let error = OpenIDError(.discovery, response, settings)
        // A refusal, such as 404, says only that the document is not there.
        self = error.code == .refused ? OpenIDError(.discovery, .unreachable, status: response.status) : error
    }
}
