// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Crypto
import HTTPTypes
import Testing

/// The grants of programs, with tokens that another issuer signed.
///
/// [RFC 7523, 3](https://www.rfc-editor.org/rfc/rfc7523#section-3).
@Suite struct InProcessProviderProgramTests {
    private static let key = P256.Signing.PrivateKey()
    private static let issuer = "https://cluster.example"

    private static let client = HandmadeClient {
        $0.clients = [
            .public(id: "native"), .confidential(id: "federated", issuer: Self.issuer, subject: "worker"),
        ]
        $0.trustedIssuers = [Self.issuer: Self.key.publicKey.pemRepresentation]
    }

    private static func token(
        _ changes: [String: JSONValue?] = [:],
        algorithm: String = "ES256",
        signedBy key: P256.Signing.PrivateKey = InProcessProviderProgramTests.key
    ) throws -> String {
        var claims: [String: JSONValue] = [
            "iss": .string(issuer), "sub": .string("worker"), "aud": .string("https://provider.example"),
            "iat": .integer(1_800_000_000), "exp": .integer(1_800_000_060),
        ]
        for (name, value) in changes { claims[name] = value }
        return try key.signedJWT(["alg": .string(algorithm)], claims)
    }

    /// The forms that present a token, with the errors of a refusal.
    private static func forms(_ token: String) -> [(form: [String: String], code: String)] {
        let assertion = [
            "client_id": "native", "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": token,
        ]
        let subjectToken = [
            "client_id": "native", "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
            "subject_token": token, "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
        ]
        let clientAssertion = [
            "client_id": "federated", "grant_type": "client_credentials", "client_assertion": token,
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        ]
        return [
            (assertion, "invalid_grant"), (subjectToken, "invalid_request"), (clientAssertion, "invalid_client"),
        ]
    }

    @Test func `a token of a trusted issuer is accepted until it expires`() async throws {
        for (form, _) in Self.forms(try Self.token()) {
            for _ in 0..<2 {
                let answer = try await Self.client.post(.token, form)
                #expect(answer.status == 200)
                #expect(answer.accessToken != nil)
                #expect(answer.refreshToken == nil)
            }
        }
    }

    @Test(
        arguments: [
            ["aud": .string("https://other.example")], ["aud": nil], ["iss": .string("https://other.example")],
            ["iss": nil], ["exp": .integer(1_800_000_000)], ["exp": nil], ["iat": .integer(1_800_000_006)],
        ] as [[String: JSONValue?]]
    )
    func `a token with another claim is refused`(changes: [String: JSONValue?]) async throws {
        for (form, code) in Self.forms(try Self.token(changes)) {
            #expect(try await Self.client.post(.token, form).error == code)
        }
    }

    @Test func `a token of another key or algorithm is refused`() async throws {
        let tokens = [
            try Self.token(signedBy: P256.Signing.PrivateKey()), try Self.token(algorithm: "none"), "no token",
        ]
        for token in tokens {
            for (form, code) in Self.forms(token) {
                #expect(try await Self.client.post(.token, form).error == code)
            }
        }
    }

    @Test func `a client without an ID must be registered`() async throws {
        var form = Self.forms(try Self.token())[0].form
        form["client_id"] = nil
        #expect(try await Self.client.post(.token, form).error == "invalid_client")
        let open = HandmadeClient {
            $0.clients = [.public(id: "")]
            $0.trustedIssuers = [Self.issuer: Self.key.publicKey.pemRepresentation]
        }
        #expect(try await open.post(.token, form).status == 200)
    }

    @Test(arguments: [
        #"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, #"{"kty":"EC","crv":"P-256","x":"AQAB","y":"AQAB"}"#,
        #"{"kty":"EC","crv":"P-256"}"#,
    ])
    func `a registration with a key that is no public P-256 key is refused`(key: String) async throws {
        let json = #"""
            {"redirect_uris":["https://app.example/callback"],"token_endpoint_auth_method":"private_key_jwt",\#
            "jwks":{"keys":[\#(key)]}}
            """#
        let answer = try await Self.client.send(
            .post,
            Self.client.provider.url(of: .registration),
            ["Content-Type": "application/json"],
            body: Array(json.utf8)
        )
        #expect(answer.error == "invalid_client_metadata")
    }
}
