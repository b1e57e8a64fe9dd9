// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A source that wraps another one, written with only public API.
@Suite struct WrappedSourceTests {
    /// A source as an app may write it around the session, for example for logging.
    private struct Wrapper: AccessTokenSource {
        let base: any AccessTokenSource

        var freshCredential: AccessCredential? { base.freshCredential }
        var allowedOrigins: Set<String>? { base.allowedOrigins }
        func credential() async throws -> AccessCredential { try await base.credential() }
        func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
            try await base.credential(insteadOf: rejected)
        }
    }

    /// A source whose credential is always fresh, and replaced after a rejection.
    private final class Base: AccessTokenSource {
        struct Asked: Error {}

        private let state: Mutex<(current: AccessCredential, rejected: [AccessToken])>
        private let next: AccessCredential

        init(_ current: AccessCredential, next: AccessCredential) {
            state = Mutex((current, []))
            self.next = next
        }

        var rejected: [String] { state.withLock { $0.rejected.map(\.unredacted) } }
        var freshCredential: AccessCredential? { state.withLock { $0.current } }

        func credential() async throws -> AccessCredential { throw Asked() }

        func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
            state.withLock { state in
                state.rejected.append(rejected)
                state.current = next
                return next
            }
        }
    }

    private let proofs = DPoPProofFactory(now: { Date(timeIntervalSince1970: 1_800_000_000) })

    private func client(_ source: any AccessTokenSource, _ transport: ScriptedTransport) throws -> APIClient {
        APIClient(
            baseURL: try BaseURL("https://api.example.com"),
            authenticatedBy: Wrapper(base: source),
            transport: transport
        )
    }

    private func boundSource() throws -> Base {
        Base(
            AccessCredential(try AccessToken("t1"), key: DPoPKey(), proofs: proofs),
            next: AccessCredential(try AccessToken("t2"), key: DPoPKey(), proofs: proofs)
        )
    }

    private func authorizations(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map { $0.head.headerFields[.authorization] }
    }

    private func sentProofs(_ transport: ScriptedTransport) throws -> [UnverifiedJWT] {
        try transport.requests.map { try UnverifiedJWT(try #require($0.head.headerFields[.dpop])) }
    }

    @Test func `a fresh credential is sent without another call of the source`() async throws {
        let transport = ScriptedTransport { _ in CallFixture.ada }
        let source = Base(AccessCredential(try AccessToken("t1")), next: AccessCredential(try AccessToken("t2")))
        _ = try await client(source, transport).send(.raw(.get, "/me"))
        #expect(authorizations(transport) == ["Bearer t1"])
        #expect(transport.requests.first?.head.headerFields[.dpop] == nil)
    }

    @Test func `the source's credential is requested if it has no fresh one`() async throws {
        let transport = ScriptedTransport { _ in CallFixture.ada }
        let source = try TokenSourceDouble(current: "t1")
        #expect(source.freshCredential == nil)
        _ = try await client(source, transport).send(.raw(.get, "/me"))
        #expect(authorizations(transport) == ["Bearer t1"])
    }

    /// RFC 9449, 7.1 and 9.
    @Test func `a DPoP-bound token is resent with the server's nonce, without a refresh`() async throws {
        let transport = ScriptedTransport { request in
            let proof = try UnverifiedJWT(request.head.headerFields[.dpop] ?? "")
            guard proof.claims["nonce"]?.string != "n1" else { return CallFixture.ada }
            return .json(
                "{}",
                status: 401,
                headers: [.wwwAuthenticate: #"DPoP error="use_dpop_nonce""#, .dpopNonce: "n1"]
            )
        }
        let source = try boundSource()
        let key = try #require(source.freshCredential?.binding?.key)
        _ = try await client(source, transport).send(.raw(.get, "/me", query: [("a", "b")]))
        #expect(authorizations(transport) == ["DPoP t1", "DPoP t1"])
        #expect(source.rejected.isEmpty)
        let sent = try sentProofs(transport)
        #expect(sent.map { $0.claims["nonce"]?.string } == [nil, "n1"])
        #expect(sent.allSatisfy { $0.claims["htm"]?.string == "GET" })
        #expect(sent.allSatisfy { $0.claims["htu"]?.string == "https://api.example.com/me" })
        #expect(Set(sent.map { $0.claims["jti"] }).count == 2)
        #expect(try sent.map { try jwk(of: $0) } == [try jwk(of: key), try jwk(of: key)])
    }

    @Test func `the token of a refresh is sent with a proof by its own key`() async throws {
        let transport = ScriptedTransport { request in
            request.head.headerFields[.authorization] == "DPoP t2"
                ? CallFixture.ada : CallFixture.unauthorized(#"DPoP error="invalid_token""#)
        }
        let source = try boundSource()
        let first = try #require(source.freshCredential?.binding?.key)
        _ = try await client(source, transport).send(.raw(.get, "/me"))
        let second = try #require(source.freshCredential?.binding?.key)
        #expect(authorizations(transport) == ["DPoP t1", "DPoP t2"])
        #expect(source.rejected == ["t1"])
        let sent = try sentProofs(transport)
        #expect(try sent.map { try jwk(of: $0) } == [try jwk(of: first), try jwk(of: second)])
        #expect(first.bytes != second.bytes)
        #expect(Set(sent.map { $0.claims["ath"]?.string }).count == 2)
    }

    /// Even without its credential, the token is never sent without a proof.
    @Test func `nothing is sent if a wrapper passes on only the DPoP-bound token`() async throws {
        let transport = ScriptedTransport { _ in CallFixture.ada }
        let token = try #require(try boundSource().freshCredential).accessToken
        let source = Base(AccessCredential(token), next: AccessCredential(token))
        let error = await #expect(throws: APIError.self) {
            _ = try await client(source, transport).send(.raw(.get, "/me"))
        }
        #expect(error?.code == .proofUnavailable)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a printed credential shows no token`() throws {
        let bound = AccessCredential(try AccessToken("secret-1"), key: DPoPKey(), proofs: proofs)
        for credential in [AccessCredential(try AccessToken("secret-1")), bound] {
            var dumped = ""
            dump(credential, to: &dumped)
            for text in ["\(credential)", String(reflecting: credential), dumped] {
                #expect(!text.contains("secret-1"))
            }
        }
    }

    /// Returns the public key in a proof's header.
    private func jwk(of proof: UnverifiedJWT) throws -> [String: JSONValue] {
        try #require(proof.header.parameters["jwk"]?.object)
    }

    private func jwk(of key: DPoPKey) throws -> [String: JSONValue] {
        let field = try proofs.field(by: key, method: "GET", origin: "https://a.example", path: "/", token: nil)
        return try jwk(of: try UnverifiedJWT(field.value))
    }
}
