// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Crypto
import Testing

@testable import OpenIDConnect

/// The registration of a client with a private key.
///
/// [RFC 7591, 2](https://www.rfc-editor.org/rfc/rfc7591#section-2).
@Suite struct KeyRegistrationTests {
    private static var metadata: ClientMetadata {
        var metadata = ClientMetadata(name: "Jobs", redirectURIs: [RelyingParty.redirectURI])
        metadata.usesDeviceAuthorization = true
        return metadata
    }

    private static func register(_ key: ClientAssertionKey, at app: RelyingParty) async throws -> OpenIDClient {
        let settings = app.provider.settings
        return try await OpenIDClient.register(metadata, at: app.provider.metadata, key: key, settings: settings)
    }

    @Test func `a client is registered with its public key, and authenticates with the private one`() async throws {
        let app = try await RelyingParty()
        let key = try ClientAssertionKey(pem: P256.Signing.PrivateKey().pemRepresentation, keyID: "k-1")
        let client = try await Self.register(key, at: app)
        #expect(client.authentication == .privateKeyJWT(key))
        let request = try app.onlyRequest(at: .registration)
        let sent = try JSONValue.object(in: request.body)
        #expect(sent["token_endpoint_auth_method"]?.string == "private_key_jwt")
        #expect(sent["token_endpoint_auth_signing_alg"]?.string == "ES256")
        let publicKey = try #require(key.publicJWK)
        #expect(sent["jwks"]?.object?["keys"]?.array == [.object(publicKey)])
        let provider = OpenIDProvider(
            metadata: app.provider.metadata,
            client: client,
            settings: app.provider.settings
        )
        _ = try await provider.deviceAuthorization(AuthorizationParameters())
    }

    @Test(
        arguments: [
            .responseMember("token_endpoint_auth_method", .string("none"), at: .registration),
            .responseMember("token_endpoint_auth_method", .string("client_secret_basic"), at: .registration),
            .responseMember("token_endpoint_auth_method", nil, at: .registration),
        ] as [InProcessProvider.Fault]
    )
    func `a weaker method than the key's is not accepted`(fault: InProcessProvider.Fault) async throws {
        let app = try await RelyingParty()
        app.server.inject(fault)
        let key = try ClientAssertionKey(pem: P256.Signing.PrivateKey().pemRepresentation)
        let error = await #expect(throws: OpenIDError.self) { try await Self.register(key, at: app) }
        #expect(error == OpenIDError(.registration, .malformedResponse))
    }

    @Test func `a signer without a public key prevents the request`() async throws {
        let app = try await RelyingParty()
        let key = ClientAssertionKey(algorithm: .es256) { _ in [] }
        #expect(key.publicJWK == nil)
        let error = await #expect(throws: OpenIDError.self) { try await Self.register(key, at: app) }
        #expect(error == OpenIDError(.clientAssertion, .unreadableKey))
        #expect(app.server.requests(at: .registration).isEmpty)
    }

    /// RFC 7518, 6.2.1 and 6.3.1.
    @Test func `a public JWK verifies the key's signatures and holds nothing private`() async throws {
        let keys = [
            try ClientAssertionKey(pem: ClientKeys.sec1, keyID: "k-1"),
            try ClientAssertionKey(pem: ClientKeys.rsa, algorithm: .ps256, keyID: "k-1"),
        ]
        let names: [Set<String>] = [
            ["kty", "crv", "x", "y", "use", "alg", "kid"], ["kty", "n", "e", "use", "alg", "kid"],
        ]
        for (key, names) in zip(keys, names) {
            let members = try #require(key.publicJWK)
            #expect(Set(members.keys) == names)
            #expect(members["use"]?.string == "sig")
            #expect(members["alg"]?.string == key.algorithm.description)
            #expect(members["kid"]?.string == "k-1")
            let publicKey = try #require(JSONWebKey(members))
            let token = try await key.jwt(of: [:])
            #expect(JSONWebSignature.isValid(token, by: publicKey, with: key.algorithm))
        }
        #expect(keys[1].publicJWK?["n"]?.string == ClientKeys.rsaModulus)
        #expect(keys[1].publicJWK?["e"]?.string == "AQAB")
    }

    @Test func `a key without an ID names none`() throws {
        #expect(try ClientAssertionKey(pem: ClientKeys.sec1).publicJWK?["kid"] == nil)
    }
}
