// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import ResourceServer
import SharedTestSupport
import Testing

@Suite("Requests with an access token")
struct AccessTokenMiddlewareTests {
    private let issuer = TestIssuer(clock: TestClock())

    private func api() throws -> TestAPI { TestAPI(try issuer.verifier(), clock: issuer.clock) }

    @Test(arguments: ["Bearer ", "bearer ", "BEARER   "])
    func `a valid token is accepted with the scheme in any case`(scheme: String) async throws {
        #expect(try await api().send(authorization: [scheme + issuer.token()]).status == .ok)
    }

    @Test(arguments: [[], ["Basic YTpi"]])
    func `a request without a token gets challenges without an error`(authorization: [String]) async throws {
        let response = try await api().send(authorization: authorization)
        #expect(response.status == .unauthorized)
        #expect(response.challenges == ["Bearer", #"DPoP algs="ES256""#])
    }

    @Test func `an invalid token gets a challenge with an error`() async throws {
        let response = try await api().send(authorization: ["Bearer a.b.c"])
        #expect(response.status == .unauthorized)
        #expect(response.challenges == [#"Bearer error="invalid_token""#])
    }

    @Test func `two Authorization fields are refused`() async throws {
        let field = "Bearer \(try issuer.token())"
        let response = try await api().send(authorization: [field, field])
        #expect(response.status == .badRequest)
        #expect(response.challenges.first == #"Bearer error="invalid_request""#)
    }

    @Test(arguments: ["Bearer", "Bearer "])
    func `a scheme without a token is refused`(authorization: String) async throws {
        #expect(try await api().send(authorization: [authorization]).status == .badRequest)
    }

    @Test func `a request gets status 503 without a challenge if the keys can't be fetched`() async throws {
        struct Unreachable: Error {}
        let api = TestAPI(issuer.verifier(keys: RemoteJWKSet { throw Unreachable() }), clock: issuer.clock)
        let response = try await api.send(authorization: ["Bearer \(issuer.token())"])
        #expect(response.status == .serviceUnavailable)
        #expect(response.challenges.isEmpty)
    }

    @Test func `a token with too small a scope gets the required scope`() async throws {
        let response = try await api().send(.get, "/admin", authorization: ["Bearer \(issuer.token())"])
        #expect(response.status == .forbidden)
        #expect(response.challenges == [#"Bearer error="insufficient_scope", scope="jobs.read admin""#])
    }

    @Test func `a token with the required scope is accepted`() async throws {
        let token = try issuer.token(["scope": "admin jobs.read"])
        #expect(try await api().send(.get, "/admin", authorization: ["Bearer \(token)"]).status == .ok)
    }

    @Test(arguments: [(nil, 0), ("mfa", 301), ("pwd", 0), ("mfa", nil)] as [(String?, Int?)])
    func `a weak, old or unknown sign-in gets a step-up challenge`(acr: String?, age: Int?) async throws {
        var claims: [String: Any] = [:]
        claims["acr"] = acr
        claims["auth_time"] = age.map { issuer.clock.seconds - $0 }
        let token = try issuer.token(claims)
        let response = try await api().send(.get, "/transfers", authorization: ["Bearer \(token)"])
        #expect(response.status == .unauthorized)
        let error = #"Bearer error="insufficient_user_authentication", acr_values="mfa", max_age="300""#
        #expect(response.challenges == [error])
    }

    @Test func `a recent and strong sign-in is accepted`() async throws {
        let token = try issuer.token(["acr": "mfa", "auth_time": issuer.clock.seconds - 300])
        #expect(try await api().send(.get, "/transfers", authorization: ["Bearer \(token)"]).status == .ok)
    }

    /// Marks that `String` sorts before it compares: more than ten seconds for this text.
    @Test func `a field of combining marks is refused at once`() async throws {
        let marks = "a" + String(repeating: "\u{301}\u{316}", count: 64_000)
        let time = try await fastest {
            let (bare, bearer) = try await (
                api().send(authorization: [marks]), api().send(authorization: ["Bearer \(marks)"])
            )
            #expect(bare.status == .unauthorized && bearer.status == .unauthorized)
        }
        #expect(time < .seconds(5))
    }
}
