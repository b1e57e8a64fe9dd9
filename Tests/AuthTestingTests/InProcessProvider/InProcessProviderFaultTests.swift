// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@Suite struct InProcessProviderFaultTests {
    private let client = HandmadeClient()

    // MARK: In transit

    @Test func `an unreachable endpoint does not receive the request`() async throws {
        client.provider.inject(.unreachable(at: .token))
        let code = client.code()
        let error = await #expect(throws: TransportError.self) { try await client.exchange(code) }
        #expect(error?.code == .connectionRefused)
        #expect(error?.mayHaveReachedServer == false)
        #expect(client.provider.count(at: .token) == 0)
        #expect(try await client.exchange(code).status == 200)
    }

    @Test func `an injected status is returned as often as requested, and its requests are not carried out`()
        async throws
    {
        client.provider.inject(.status(429, retryAfter: .seconds(30), at: .token), times: 2)
        let code = client.code()
        for _ in 0..<2 {
            let answer = try await client.exchange(code)
            #expect(answer.status == 429)
            #expect(answer.field("Retry-After") == "30")
        }
        #expect(try await client.exchange(code).status == 200)
    }

    @Test func `faults of one endpoint occur in order and do not affect other endpoints`() async throws {
        client.provider.inject(.html(at: .token))
        client.provider.inject(.redirect(to: "https://evil.example/token", at: .token))
        client.provider.inject(.error("server_error", status: 500, at: .token))
        let code = client.code()
        #expect(try await client.get(.discovery).status == 200)
        #expect(try await client.exchange(code).field("Content-Type") == "text/html")
        let redirect = try await client.exchange(code)
        #expect(redirect.status == 307)
        #expect(redirect.field("Location") == "https://evil.example/token")
        #expect(try await client.exchange(code).error == "server_error")
        #expect(try await client.exchange(code).status == 200)
    }

    @Test func `cleared faults do not occur`() async throws {
        client.provider.inject(.status(503, at: .token), times: .max)
        client.provider.clearFaults()
        #expect(try await client.signIn().status == 200)
    }

    @Test func `a request with a delayed response is carried out, and its task can be cancelled`() async throws {
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let clock = client.clock
        client.provider.inject(
            .delayResponse(at: .token) {
                arrive.yield()
                try await clock.sleep(for: .seconds(1))
            }
        )
        let client = client
        let call = Task { try await client.signIn() }
        for await _ in arrivals { break }
        #expect(client.provider.activeRefreshTokenCount == 1)
        await clock.sleepers()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func `a response above the maximum size throws responseTooLarge`() async throws {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "provider.example", path: "/jwks")
        let error = await #expect(throws: TransportError.self) {
            try await client.provider.send(TransportRequest(head: head, maximumResponseSize: 10))
        }
        #expect(error?.code == .responseTooLarge)
    }

    // MARK: In responses

    @Test func `response members can be changed and removed`() async throws {
        client.provider.inject(.responseMember("token_type", .string("mac")), .responseMember("expires_in", nil))
        let wrong = try await client.signIn()
        #expect(wrong["token_type"] == .string("mac"))
        #expect(wrong["expires_in"] == nil)
        #expect(try await client.signIn()["token_type"] == .string("Bearer"))
    }

    @Test func `header fields can be changed and removed`() async throws {
        client.provider.inject(.headerField("Date", nil, at: .jwks), .headerField("Content-Type", "text/x", at: .jwks))
        let answer = try await client.get(.jwks)
        #expect(answer.field("Date") == nil)
        #expect(answer.field("Content-Type") == "text/x")
    }

    @Test func `callback parameters can be changed, removed and repeated`() {
        client.provider.inject(.callbackParameter("iss", "https://evil.example"), .callbackParameter("state", nil))
        let wrong = client.provider.authorize(client.authorizationURL())
        #expect(wrong.parameter("iss") == "https://evil.example")
        #expect(wrong.parameter("state") == nil)
        client.provider.inject(.duplicatingCallbackParameter("code"))
        let twice = client.provider.authorize(client.authorizationURL()).redirectURL ?? ""
        #expect(twice.split(separator: "code=").count == 3)
    }

    @Test func `an error of the authorization endpoint goes to the callback`() {
        client.provider.inject(.error("temporarily_unavailable", at: .authorization))
        let callback = client.provider.authorize(client.authorizationURL())
        #expect(callback.parameter("error") == "temporarily_unavailable")
        #expect(callback.parameter("state") == "the state")
        client.provider.inject(.status(503, at: .authorization))
        #expect(client.provider.authorize(client.authorizationURL()) == .page(status: 503, text: ""))
    }

    // MARK: In tokens

    @Test func `a claim fault changes the next issued token under a valid signature`() async throws {
        client.provider.inject(.claim("iss", .string("https://evil.example")), .claim("iat", nil))
        #expect(try await client.exchange("no code").error == "invalid_grant")
        let token = try await client.signIn().idToken
        #expect(try UnverifiedJWT(token).claims.issuer == "https://evil.example")
        #expect(try UnverifiedJWT(token).claims.issuedAt == nil)
        #expect(try await PublishedKeys(client).verify(token))
        #expect(try UnverifiedJWT(try await client.signIn().idToken).claims.issuer == "https://provider.example")
    }

    @Test func `a userinfo response can name another subject`() async throws {
        client.provider.inject(.claim("sub", .string("other"), at: .userInfo))
        let token = try await client.signIn().accessToken
        #expect(try await client.get(.userInfo, token: token)["sub"] == .string("other"))
        #expect(try await client.get(.userInfo, token: token)["sub"] == .string("248289761001"))
    }

    @Test(
        arguments: [
            (.wrong, "ES256"), (.unsigned, "none"), (.hs256, "HS256"), (.keyInHeader, "ES256"), (.unknownKey, "ES256"),
        ] as [(InProcessProvider.Fault.Signature, String)]
    )
    func `a signature fault issues a token that no published key verifies`(
        signature: InProcessProvider.Fault.Signature,
        algorithm: String
    ) async throws {
        client.provider.inject(.signature(signature))
        let token = try await client.signIn().idToken
        #expect(try UnverifiedJWT(token).header.algorithm == algorithm)
        #expect(try await !PublishedKeys(client).verify(token))
        let bringsKey = try UnverifiedJWT(token).header.parameters["jwk"] != nil
        #expect(bringsKey == (signature == .keyInHeader))
        let good = try await client.signIn().idToken
        #expect(try await PublishedKeys(client).verify(good))
    }

    @Test func `a header can omit the key ID or require an unknown extension`() async throws {
        client.provider.inject(.signature(.withoutKeyID))
        client.provider.inject(.signature(.unknownCriticalHeader))
        #expect(try UnverifiedJWT(try await client.signIn().idToken).header.keyID == nil)
        let token = try await client.signIn().idToken
        #expect(try UnverifiedJWT(token).header.critical == ["urn:example:unknown"])
        #expect(try await PublishedKeys(client).verify(token))
    }

    @Test func `a clock offset changes the date field and every time claim`() async throws {
        client.provider.clockOffset = .seconds(-3_600)
        let answer = try await client.signIn()
        #expect(answer.field("Date") == "Fri, 15 Jan 2027 07:00:00 GMT")
        #expect(try answer.claims()["iat"] == .integer(1_799_996_400))
        #expect(try answer.claims()["auth_time"] == .integer(1_799_996_400))
        #expect(try answer.claims()["exp"] == .integer(1_799_996_700))
    }

    // MARK: Observation

    @Test func `a provider records its requests and the secrets that it issued`() async throws {
        let code = client.code()
        let tokens = try await client.exchange(code)
        client.provider.inject(.dropResponse(at: .revocation))
        _ = try? await client.post(.revocation, ["client_id": "native", "token": "none"])
        #expect(client.provider.requests.map(\.endpoint) == [.authorization, .token, .revocation])
        let exchange = try #require(client.provider.requests(at: .token).first)
        #expect(exchange.method == "POST")
        #expect(exchange.status == 200)
        #expect(exchange.formValue("code") == code)
        #expect(client.provider.requests[0].queryValue("nonce") == "the-nonce")
        #expect(client.provider.requests[2].outcome == .responseLost(200))
        let secrets = [code, tokens.accessToken, tokens.refreshToken, tokens.idToken]
        #expect(secrets.allSatisfy { secret in client.provider.issuedSecrets.contains { $0 == secret } })
        #expect(client.provider.signInCount == 1)
    }
}
