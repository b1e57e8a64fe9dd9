// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import OpenIDConnect
import Testing

@testable import AuthSession
@testable import OpenIDSession

/// The stored description of a provider whose client presents a TLS certificate.
///
/// [RFC 8705](https://www.rfc-editor.org/rfc/rfc8705).
struct MutualTLSRecordTests {
    /// Returns the metadata of a server, with an alias of its token endpoint.
    private static func metadata(
        _ alias: String?,
        tokenEndpoint: String = "https://as.example/token"
    ) throws -> ProviderMetadata {
        let aliases = alias.map { #","mtls_endpoint_aliases":{"token_endpoint":"\#($0)"}"# } ?? ""
        let document = """
            {"issuer":"https://as.example","authorization_endpoint":"https://as.example/authorize",\
            "token_endpoint":"\(tokenEndpoint)","jwks_uri":"https://as.example/jwks",\
            "tls_client_certificate_bound_access_tokens":true\(aliases)}
            """
        return try ProviderMetadata(Array(document.utf8), of: try Issuer("https://as.example"))
    }

    private static func plain(
        _ metadata: ProviderMetadata,
        _ settings: ProviderSettings = ProviderSettings()
    ) -> OpenIDProvider {
        let client = OpenIDClient.confidential(id: "app", tls: .certificateAuthority)
        return OAuthProvider(metadata: metadata, client: client, settings: settings).server
    }

    @Test(arguments: [nil, "https://new.as.example/token"])
    func `a new alias of the token endpoint leaves the stored session`(alias: String?) throws {
        let stored = Self.plain(try Self.metadata("https://mtls.as.example/token"))
        let current = Self.plain(try Self.metadata(alias))
        try #require(stored.metadata.tokenEndpoint != current.metadata.tokenEndpoint)
        try OpenIDAuthority(current).check(OpenIDAuthority(stored).record)
    }

    @Test func `another token endpoint makes the stored session foreign, even with the same alias`() throws {
        let alias = "https://mtls.as.example/token"
        let stored = Self.plain(try Self.metadata(alias))
        let other = Self.plain(try Self.metadata(alias, tokenEndpoint: "https://as.example/other"))
        let record = OpenIDAuthority(stored).record
        #expect(throws: SessionRecordError(.otherBackend)) { try OpenIDAuthority(other).check(record) }
    }

    @Test(arguments: [true, false])
    func `a record keeps the aliases, the policy and the binding`(isRegistered: Bool) throws {
        var settings = ProviderSettings()
        settings.policy = .fapi2
        settings.certificateBoundTokens = isRegistered
        let provider = Self.plain(try Self.metadata("https://mtls.as.example/token"), settings)
        let read = try ProviderFormat.provider(OpenIDAuthority(provider).record)
        #expect(read.metadata == provider.metadata)
        #expect(read.publishedMetadata == provider.publishedMetadata)
        #expect(read.settings.policy == .fapi2)
        #expect(read.settings.certificateBoundTokens == isRegistered)
        #expect(read.requiresDPoP == !isRegistered)
    }
}
