// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@Suite struct InProcessProviderResourceTests {
    private let client = HandmadeClient()

    @Test func `the API accepts a valid token`() async throws {
        let token = try await client.signIn().accessToken ?? ""
        let url = client.provider.url(of: .api) + "/jobs/1?all=true"
        let answer = try await client.send(.post, url, ["Authorization": "Bearer \(token)"])
        #expect(answer.status == 200)
        #expect(answer["sub"] == .string("248289761001"))
        #expect(answer["path"] == .string("/api/jobs/1"))
        #expect(client.provider.count(at: .api) == 1)
    }

    @Test func `the API reports an error for an invalid token, but not for a missing one`() async throws {
        let url = client.provider.url(of: .api) + "/jobs"
        let none = try await client.send(.get, url)
        #expect(none.status == 401)
        #expect(none.field("WWW-Authenticate") == "Bearer realm=\"provider\"")
        let wrong = try await client.send(.get, url, ["Authorization": "Bearer other"])
        #expect(wrong.status == 401)
        #expect(wrong.field("WWW-Authenticate")?.contains("error=\"invalid_token\"") == true)
    }

    @Test func `an access token expires and can be invalidated earlier`() async throws {
        let first = try await client.signIn()
        client.clock.advance(by: .milliseconds(299_999))
        #expect(try await client.get(.userInfo, token: first.accessToken).status == 200)
        client.clock.advance(by: .milliseconds(1))
        #expect(try await client.get(.userInfo, token: first.accessToken).status == 401)
        let second = try await client.refresh(first.refreshToken)
        client.provider.invalidateAccessTokens()
        #expect(try await client.get(.userInfo, token: second.accessToken).status == 401)
        #expect(try await client.refresh(second.refreshToken).status == 200)
    }

    @Test func `userinfo accepts the token only in the header`() async throws {
        let token = try await client.signIn().accessToken ?? ""
        let url = client.provider.url(of: .userInfo)
        #expect(try await client.send(.get, url + "?access_token=\(token)").status == 400)
        #expect(try await client.post(.userInfo, ["access_token": token]).status == 400)
    }

    @Test func `userinfo returns the claims that the scope allows`() async throws {
        client.provider.user = .init(subject: "7", claims: ["locale": .string("en")])
        let answer = try await client.get(.userInfo, token: client.signIn(["scope": "openid profile"]).accessToken)
        #expect(answer["sub"] == .string("7"))
        #expect(answer["name"] == .string("Jane Doe"))
        #expect(answer["email"] == nil)
        #expect(answer["locale"] == .string("en"))
    }

    @Test func `userinfo is signed if the client is registered for it`() async throws {
        var native = InProcessProvider.Client.public(id: "native")
        native.userInfoAlgorithm = .es256
        client.provider.register(native)
        let answer = try await client.get(.userInfo, token: client.signIn().accessToken)
        #expect(answer.field("Content-Type") == "application/jwt")
        #expect(try await PublishedKeys(client).verify(answer.text))
        #expect(try UnverifiedJWT(answer.text).claims.audience == ["native"])
    }

    // MARK: Signing out

    @Test func `revoking a refresh token also revokes its access tokens`() async throws {
        let tokens = try await client.signIn()
        let form = ["client_id": "native", "token": tokens.refreshToken ?? ""]
        #expect(try await client.post(.revocation, form).status == 200)
        #expect(try await client.get(.userInfo, token: tokens.accessToken).status == 401)
        #expect(try await client.refresh(tokens.refreshToken).error == "invalid_grant")
        #expect(client.provider.activeRefreshTokenCount == 0)
        #expect(try await client.post(.revocation, form).status == 200)
    }

    @Test func `revoking an access token keeps the refresh token`() async throws {
        let tokens = try await client.signIn()
        let form = ["client_id": "native", "token": tokens.accessToken ?? ""]
        #expect(try await client.post(.revocation, form).status == 200)
        #expect(try await client.get(.userInfo, token: tokens.accessToken).status == 401)
        #expect(try await client.refresh(tokens.refreshToken).status == 200)
    }

    @Test func `revoking an unknown token succeeds, and revoking another client's token fails`() async throws {
        client.provider.register(.public(id: "other"))
        #expect(try await client.post(.revocation, ["client_id": "native", "token": "none"]).status == 200)
        let token = try await client.signIn().refreshToken ?? ""
        #expect(try await client.post(.revocation, ["client_id": "other", "token": token]).status == 400)
        #expect(try await client.post(.revocation, ["client_id": "stranger", "token": token]).status == 401)
        #expect(client.provider.activeRefreshTokenCount == 1)
    }

    @Test func `a sign-out redirects the browser to a registered URI with its state`() async throws {
        let idToken = try await client.signIn().idToken
        let query = "?id_token_hint=\(idToken)&state=s%201&post_logout_redirect_uri="
        let url = client.provider.url(of: .endSession) + query
        let result = client.provider.endSession(url + "http://127.0.0.1:9/callback")
        #expect(result == .redirect(to: "http://127.0.0.1:9/callback?state=s%201"))
        #expect(client.provider.endSession(url + "https://evil.example/").redirectURL == nil)
        #expect(client.provider.endSession(client.provider.url(of: .endSession)).redirectURL == nil)
        let stranger = client.provider.url(of: .endSession) + "?id_token_hint=a.b.c&post_logout_redirect_uri="
        #expect(client.provider.endSession(stranger + "http://127.0.0.1:9/callback").redirectURL == nil)
    }

    // MARK: Registration

    private func register(_ json: String) async throws -> HandmadeResponse {
        let type = ["Content-Type": "application/json"]
        let url = client.provider.url(of: .registration)
        return try await client.send(.post, url, type, body: Array(json.utf8))
    }

    @Test func `a client registers itself and signs in`() async throws {
        let answer = try await register(
            """
            {"redirect_uris":["http://127.0.0.1/callback"],"token_endpoint_auth_method":"none",\
            "grant_types":["authorization_code","refresh_token"],"client_name":"Tool"}
            """
        )
        #expect(answer.status == 201)
        #expect(answer["client_name"] == .string("Tool"))
        #expect(answer["client_secret"] == nil)
        var registered = client
        registered.id = answer["client_id"]?.string ?? ""
        #expect(try await registered.signIn().status == 200)
    }

    @Test func `a client registered without an authentication method gets a secret, which is recorded`() async throws {
        let answer = try await register("{\"redirect_uris\":[\"https://app.example/callback\"]}")
        #expect(answer["token_endpoint_auth_method"] == .string("client_secret_basic"))
        #expect(answer["client_secret_expires_at"] == .integer(0))
        let secret = try #require(answer["client_secret"]?.string)
        #expect(client.provider.issuedSecrets.contains(secret))
    }

    @Test(arguments: [
        ("{}", "invalid_redirect_uri"), ("[]", "invalid_client_metadata"),
        ("{\"redirect_uris\":[\"http://app.example/callback\"]}", "invalid_redirect_uri"),
        ("{\"redirect_uris\":[\"javascript:alert(1)\"]}", "invalid_redirect_uri"),
        ("{\"redirect_uris\":[\"a:b\"],\"grant_types\":[\"implicit\"]}", "invalid_client_metadata"),
        ("{\"redirect_uris\":[\"a:b\"],\"token_endpoint_auth_method\":\"guess\"}", "invalid_client_metadata"),
        ("{\"redirect_uris\":[\"a:b\"],\"id_token_signed_response_alg\":\"none\"}", "invalid_client_metadata"),
    ])
    func `invalid client metadata is refused`(json: String, code: String) async throws {
        #expect(try await register(json).error == code)
    }
}
