// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Crypto
import HTTPTypes
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct InProcessProviderTokenTests {
    @Test func `a code is exchanged for tokens`() async throws {
        let client = HandmadeClient()
        let answer = try await client.signIn(["acr_values": "silver gold"])
        #expect(answer.status == 200)
        #expect(answer["token_type"] == .string("Bearer"))
        #expect(answer["expires_in"] == .integer(300))
        #expect(answer.refreshToken != nil)
        let accessToken = try #require(answer.accessToken)
        let claims = try answer.claims()
        #expect(claims["iss"] == .string("https://provider.example"))
        #expect(claims["sub"] == .string("248289761001"))
        #expect(claims["aud"] == .string("native"))
        #expect(claims["nonce"] == .string("the-nonce"))
        #expect(claims["acr"] == .string("silver"))
        #expect(claims["iat"] == .integer(1_800_000_000))
        #expect(claims["auth_time"] == .integer(1_800_000_000))
        #expect(claims["exp"] == .integer(1_800_000_300))
        let half = SHA256.hash(data: Data(accessToken.utf8)).prefix(16)
        #expect(claims["at_hash"] == .string(Base64URL.encode(half)))
        #expect(try await client.get(.userInfo, token: accessToken)["email"] == .string("jane@example.com"))
    }

    @Test(arguments: [
        (["code_verifier": nil], "invalid_request"),
        (["code_verifier": "another-code-verifier-of-more-than-forty-three"], "invalid_grant"),
        (["redirect_uri": "http://127.0.0.1:40124/callback"], "invalid_grant"),
        (["redirect_uri": nil], "invalid_request"), (["code": "other"], "invalid_grant"),
        (["grant_type": nil], "invalid_request"), (["grant_type": "password"], "unsupported_grant_type"),
        (["client_id": "stranger"], "invalid_client"), (["client_secret": "guess"], "invalid_client"),
    ])
    func `a token request with a missing or wrong parameter is refused`(
        changes: [String: String?],
        code: String
    ) async throws {
        let client = HandmadeClient()
        #expect(try await client.post(.token, client.codeForm(client.code(), changes)).error == code)
        #expect(client.provider.activeRefreshTokenCount == 0)
    }

    @Test func `a reused code is refused, and its tokens are revoked`() async throws {
        let client = HandmadeClient()
        let code = client.code()
        let tokens = try await client.exchange(code)
        #expect(try await client.exchange(code).error == "invalid_grant")
        #expect(try await client.get(.userInfo, token: tokens.accessToken).status == 401)
        #expect(try await client.refresh(tokens.refreshToken).error == "invalid_grant")
        #expect(client.provider.sessionsEndedByReuse == 1)
    }

    @Test func `a code expires`() async throws {
        let client = HandmadeClient()
        let code = client.code()
        client.clock.advance(by: .seconds(60))
        #expect(try await client.exchange(code).error == "invalid_grant")
    }

    @Test func `a refresh token requires offline_access, and an ID token requires openid`() async throws {
        let client = HandmadeClient()
        #expect(try await client.signIn(["scope": "openid"]).refreshToken == nil)
        let plain = try await client.signIn(["scope": "profile"])
        #expect(plain["id_token"] == nil)
        #expect(try await client.get(.userInfo, token: plain.accessToken).status == 403)
    }

    @Test func `a JWT access token has its type, the audience and a verifiable signature`() async throws {
        let client = HandmadeClient { $0.accessTokenFormat = .jwt }
        let token = try #require(try await client.signIn(["resource": "https://api.example/"]).accessToken)
        let jwt = try UnverifiedJWT(token)
        #expect(jwt.header.type == "at+jwt")
        #expect(jwt.claims.audience == ["https://api.example/"])
        #expect(try await PublishedKeys(client).verify(token))
        #expect(try await client.get(.userInfo, token: token).status == 200)
    }

    @Test func `claims requested by name are returned in the ID token or in userinfo, as requested`() async throws {
        let client = HandmadeClient()
        let claims = "{\"id_token\":{\"email\":null},\"userinfo\":{\"name\":{\"essential\":true}}}"
        let tokens = try await client.signIn(["scope": "openid", "claims": claims])
        #expect(try tokens.claims()["email"] == .string("jane@example.com"))
        #expect(try tokens.claims()["name"] == nil)
        let told = try await client.get(.userInfo, token: tokens.accessToken)
        #expect(told["name"] == .string("Jane Doe"))
        #expect(told["email"] == nil)
        let callback = client.provider.authorize(client.authorizationURL(["claims": "[]"]))
        #expect(callback.parameter("error") == "invalid_request")
    }

    // MARK: Client authentication

    private static let secret = "s:e+c r%t"

    private static func confidential(_ authentication: InProcessProvider.Client.Authentication) -> HandmadeClient {
        HandmadeClient {
            $0.clients = [.confidential(id: "web app", secret: secret, authentication: authentication)]
        }
    }

    private static func basic(_ text: String) -> [String: String] {
        ["Authorization": "Basic " + Data(text.utf8).base64EncodedString()]
    }

    @Test func `a client_secret_basic client must send form-encoded credentials in the header`() async throws {
        let client = Self.confidential(.basic)
        let good = Self.basic("web+app:s%3Ae%2Bc+r%25t")
        let form = client.codeForm(client.code(), ["client_id": nil])
        #expect(try await client.post(.token, form, good).status == 200)
        let raw = try await client.post(.token, form, Self.basic("web app:\(Self.secret)"))
        #expect(raw.error == "invalid_client")
        #expect(raw.status == 401)
        #expect(raw.field("WWW-Authenticate")?.hasPrefix("Basic") == true)
        let posted = client.codeForm(client.code(), ["client_secret": Self.secret])
        #expect(try await client.post(.token, posted).error == "invalid_client")
        #expect(try await client.post(.token, posted, good).error == "invalid_request")
        #expect(try await client.exchange(client.code()).error == "invalid_client")
    }

    @Test func `a client_secret_post client must send its secret in the form`() async throws {
        let client = Self.confidential(.post)
        let form = client.codeForm(client.code(), ["client_secret": Self.secret])
        #expect(try await client.post(.token, form).status == 200)
        let wrong = client.codeForm(client.code(), ["client_secret": "wrong"])
        #expect(try await client.post(.token, wrong).error == "invalid_client")
        let header = Self.basic("web+app:s%3Ae%2Bc+r%25t")
        #expect(try await client.post(.token, client.codeForm(client.code()), header).error == "invalid_client")
    }

    @Test func `query parameters, repeated parameters and other content types are refused`() async throws {
        let client = HandmadeClient()
        let url = client.provider.url(of: .token)
        #expect(try await client.send(.post, url, ["Content-Type": "application/json"]).error == "invalid_request")
        #expect(try await client.send(.get, url).status == 405)
        let form = ["Content-Type": "application/x-www-form-urlencoded"]
        #expect(try await client.send(.post, url + "?client_id=native", form).error == "invalid_request")
        let twice = Array("grant_type=a&grant_type=a&client_id=native".utf8)
        #expect(try await client.send(.post, url, form, body: twice).error == "invalid_request")
    }
}
