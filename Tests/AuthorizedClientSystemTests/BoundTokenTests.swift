// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import AuthTesting
import Testing

@testable import OpenIDSessionTests

/// The promises of each client for tokens that are bound to a key.
///
/// [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449).
@Suite(.timeLimit(.minutes(3)))
struct BoundTokenTests {
    private func claims(_ call: ReceivedCall) throws -> [String: JSONValue] {
        #expect(call.proofs.count == 1)
        return try UnverifiedJWT(try #require(call.proofs.first)).claims.all
    }

    @Test(arguments: AuthorizedClientTests.clients)
    func `a bound token goes with a new proof for each request`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        let token = try await fixture.session.accessToken().unredacted
        let server = try HTTPResourceServer { call in
            call.authorization == ["DPoP \(token)"]
                ? .refused(401, challenge: #"DPoP error="invalid_token""#) : .accepted
        }
        #expect(try await client.send(server.address, .replayable, fixture.session) == 200)
        #expect(server.calls.allSatisfy { $0.authorization.first?.hasPrefix("DPoP ") == true })
        let claims = try server.calls.map { try self.claims($0) }
        #expect(claims.count == 2)
        #expect(claims.allSatisfy { $0["htm"] == .string("POST") })
        #expect(zip(claims, server.calls).allSatisfy { $0["htu"] == .string(server.address + $1.path) })
        #expect(Set(claims.map { $0["jti"] }).count == 2)
        #expect(Set(claims.map { $0["ath"] }).count == 2)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test(arguments: AuthorizedClientTests.clients)
    func `a request is sent once more with the server's nonce`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        let server = try HTTPResourceServer { call in
            let proof = try? UnverifiedJWT(call.proofs.first ?? "")
            guard proof?.claims.all["nonce"] != .string("n-1") else { return .accepted }
            return .refused(401, challenge: #"DPoP error="use_dpop_nonce""#, nonce: "n-1")
        }
        #expect(try await client.send(server.address, .replayable, fixture.session) == 200)
        #expect(server.calls.count == 2)
        #expect(fixture.provider.refreshCount == 0)
    }

    @Test(arguments: AuthorizedClientTests.redirecting)
    func `a redirect carries a proof for its own URL or none`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        let server = try HTTPResourceServer { call in
            call.path == "/job" ? .redirected(302, to: "/jobs/1") : .refused(401, challenge: "DPoP")
        }
        #expect(try await client.send(server.address, .none, fixture.session) == 401)
        guard !client.forwardsProofs else {
            // The proof is for another URL, so that its refusal says nothing about the token.
            #expect(fixture.provider.refreshCount == 0)
            return
        }
        let last = try claims(try #require(server.calls.last))
        #expect(last["htu"] == .string(server.address + "/jobs/1"))
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test(arguments: AuthorizedClientTests.leaving)
    func `a redirect to another origin carries neither a bound token nor a proof for it`(
        client: AuthorizedClient
    ) async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        let other = try HTTPResourceServer { _ in .refused(401, challenge: #"DPoP error="invalid_token""#) }
        let server = try HTTPResourceServer { _ in .redirected(302, to: other.address + "/stolen") }
        #expect(try await client.send(server.address, .none, fixture.session) == 401)
        #expect(other.calls.map(\.authorization) == [[]])
        #expect(fixture.provider.refreshCount == 0)
        let call = try #require(other.calls.first)
        guard client.forwardsProofs else {
            #expect(call.proofs.isEmpty)
            return
        }
        // async-http-client drops only the fields that it knows. The proof is good for the first URL alone.
        #expect(try claims(call)["htu"] == .string(server.address + "/job"))
    }
}
