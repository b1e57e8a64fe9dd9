// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@Suite struct InProcessProviderDiscoveryTests {
    @Test func `the discovery document names the issuer and every endpoint`() async throws {
        let client = HandmadeClient()
        let document = try await client.get(.discovery)
        #expect(document.status == 200)
        #expect(document["issuer"] == .string("https://provider.example"))
        for name in [
            "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri", "revocation_endpoint",
            "end_session_endpoint", "device_authorization_endpoint", "pushed_authorization_request_endpoint",
            "registration_endpoint",
        ] {
            #expect(document[name]?.string?.hasPrefix("https://provider.example/") == true, "\(name)")
        }
        #expect(document["code_challenge_methods_supported"] == .array([.string("S256")]))
        #expect(document["authorization_response_iss_parameter_supported"] == .boolean(true))
    }

    @Test(arguments: ["/tenant/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/tenant"])
    func `the metadata of an issuer with a path is found at both well-known URLs`(path: String) async throws {
        let provider = InProcessProvider(issuer: "https://provider.example/tenant")
        let request = TransportRequest(
            head: .init(method: .get, scheme: "https", authority: "provider.example", path: path)
        )
        let answer = HandmadeResponse(try await provider.send(request))
        #expect(answer["token_endpoint"] == .string("https://provider.example/tenant/token"))
    }

    @Test func `a request to another origin throws hostNotFound`() async throws {
        let client = HandmadeClient()
        let error = await #expect(throws: TransportError.self) {
            try await client.send(.get, "https://other.example/token")
        }
        #expect(error?.code == .hostNotFound)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test func `responses have a date and forbid caching`() async throws {
        let client = HandmadeClient()
        let answer = try await client.signIn()
        #expect(answer.field("Date") == "Fri, 15 Jan 2027 08:00:00 GMT")
        #expect(answer.field("Cache-Control") == "no-store")
        #expect(answer.field("Content-Type") == "application/json")
    }

    @Test(arguments: [InProcessProvider.SigningAlgorithm.rs256, .ps256, .es256, .es384, .es512, .edDSA])
    func `an ID token is signed by a published key`(algorithm: InProcessProvider.SigningAlgorithm) async throws {
        let client = HandmadeClient { $0.signingAlgorithms = [algorithm] }
        let token = try await client.signIn().idToken
        #expect(try UnverifiedJWT(token).header.algorithm == algorithm.rawValue)
        #expect(try UnverifiedJWT(token).claims.subject == "248289761001")
        #expect(try await PublishedKeys(client).verify(token))
    }

    @Test(arguments: [false, true])
    func `rotated keys have new IDs, and the old keys stay published if requested`(keepsOld: Bool) async throws {
        let client = HandmadeClient()
        let old = try await client.signIn().idToken
        client.provider.rotateKeys(keepingOld: keepsOld)
        let keys = try await PublishedKeys(client)
        #expect(try keys.verify(try await client.signIn().idToken))
        #expect(try keys.verify(old) == keepsOld)
        #expect(Set(keys.ids).count == (keepsOld ? 2 : 1))
    }
}
