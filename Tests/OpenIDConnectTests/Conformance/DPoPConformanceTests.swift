// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Synchronization
import Testing

@testable import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sender-constrained tokens.
///
/// [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449).
@Suite struct DPoPConformanceTests {
    private let key = DPoPKey()

    /// Returns an app whose provider requires a nonce in every proof.
    private static func strict() async throws -> RelyingParty {
        try await RelyingParty(configure: { $0.requiresDPoPNonce = true })
    }

    private static func statuses(_ app: RelyingParty, _ endpoint: InProcessProvider.Endpoint) -> [Int?] {
        app.server.requests(at: endpoint).map(\.status)
    }

    @Test func `tokens are bound to the key from the authorization request on`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn(dpopKey: key)
        #expect(try app.onlyRequest(at: .authorization).queryValue("dpop_jkt") == key.thumbprint)
        #expect(try await app.userInfo(tokens, dpopKey: key).email == "jane@example.com")
        #expect(try app.onlyRequest(at: .userInfo).fields[.authorization]?.hasPrefix("DPoP ") == true)
        #expect(try await app.refreshed(tokens, dpopKey: key).tokens.refreshToken != nil)
    }

    /// RFC 9449, 7.1: as a bearer token, anyone who sees it could use it at a provider that does not check.
    @Test func `a DPoP-bound token is not sent to userinfo without its key`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn(dpopKey: key)
        let error = await #expect(throws: OpenIDError.self) { try await app.userInfo(tokens, dpopKey: nil) }
        #expect(error == OpenIDError(.userInfo, .missingDPoPKey))
        #expect(app.server.requests(at: .userInfo).isEmpty)
        #expect(try await app.userInfo(tokens, dpopKey: key).email == "jane@example.com")
    }

    // MARK: Nonces

    @Test func `the authorization server's nonce is used and kept for later requests`() async throws {
        let app = try await Self.strict()
        let tokens = try await app.signIn(dpopKey: key)
        #expect(Self.statuses(app, .token) == [400, 200])
        _ = try await app.refreshed(tokens, dpopKey: key)
        #expect(Self.statuses(app, .token) == [400, 200, 200])
    }

    @Test func `the resource server's nonce is used`() async throws {
        let app = try await Self.strict()
        let tokens = try await app.signIn(dpopKey: key)
        app.server.rotateDPoPNonce()
        #expect(try await app.userInfo(tokens, dpopKey: key).email == "jane@example.com")
        #expect(Self.statuses(app, .userInfo) == [401, 200])
    }

    @Test func `a pushed request uses the nonce`() async throws {
        let app = try await Self.strict()
        #expect(try await app.signIn(dpopKey: key, usesPushedAuthorizationRequest: true).idToken != nil)
        #expect(Self.statuses(app, .pushedAuthorizationRequest) == [400, 201])
        #expect(Self.statuses(app, .token) == [200])
    }

    @Test func `every request has its own proof`() async throws {
        let app = try await Self.strict()
        let tokens = try await app.signIn(dpopKey: key)
        _ = try await app.userInfo(tokens, dpopKey: key)
        let proofs = app.server.requests.compactMap { $0.fields[.dpop] }
        #expect(proofs.count == 3)
        #expect(Set(proofs).count == 3)
    }

    // MARK: Two retries at most

    /// Returns an app whose server requires a nonce whatever the request, at first or always.
    private static func alwaysRequiringNonce(
        _ nonce: @escaping @Sendable (Int) -> String?,
        only endpoint: InProcessProvider.Endpoint = .token,
        times: Int = .max
    ) async throws -> RelyingParty {
        let count = Mutex(0)
        return try await RelyingParty(through: { server in
            ChangedTransport(
                base: server,
                changeResponse: { request, answer in
                    guard request.path == endpoint.path else { return }
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    guard number <= times else { return }
                    var fields = HTTPFields()
                    fields[.dpopNonce] = nonce(number)
                    fields[.wwwAuthenticate] = #"DPoP error="use_dpop_nonce""#
                    let isToken = endpoint == .token
                    answer = .json(#"{"error":"use_dpop_nonce"}"#, status: isToken ? 400 : 401, headers: fields)
                }
            )
        })
    }

    @Test func `a server that always requires another nonce gets three requests`() async throws {
        let app = try await Self.alwaysRequiringNonce { "nonce-\($0)" }
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn(dpopKey: key) }
        #expect(error == OpenIDError(.token, .refused))
        #expect(error?.oauthCode == .useDPoPNonce)
        #expect(app.server.requests(at: .token).count == 3)
    }

    @Test func `a new nonce with the refusal of the second request is used for a third`() async throws {
        let app = try await Self.alwaysRequiringNonce({ "nonce-\($0)" }, only: .userInfo, times: 2)
        let tokens = try await app.signIn(dpopKey: key)
        _ = try await app.userInfo(tokens, dpopKey: key)
        #expect(app.server.requests(at: .userInfo).count == 3)
    }

    @Test func `a server that repeats its nonce gets two requests, one without a nonce gets one`() async throws {
        let same = try await Self.alwaysRequiringNonce { _ in "nonce" }
        await #expect(throws: OpenIDError(.token, .refused)) { try await same.signIn(dpopKey: key) }
        #expect(same.server.requests(at: .token).count == 2)
        let none = try await Self.alwaysRequiringNonce { _ in nil }
        await #expect(throws: OpenIDError(.token, .refused)) { try await none.signIn(dpopKey: key) }
        #expect(none.server.requests(at: .token).count == 1)
    }

    @Test func `a resource server that always requires another nonce gets three requests`() async throws {
        let app = try await Self.alwaysRequiringNonce({ "nonce-\($0)" }, only: .userInfo)
        let tokens = try await app.signIn(dpopKey: key)
        let error = await #expect(throws: OpenIDError.self) { try await app.userInfo(tokens, dpopKey: key) }
        #expect(error == OpenIDError(.userInfo, .unauthorized))
        #expect(app.server.requests(at: .userInfo).count == 3)
    }

    /// Two requests leave with the old nonce; the response to the first makes the new one known to both.
    @Test func `a request is retried even if another request has just stored the nonce`() async throws {
        let proofs = Mutex<DPoPProofFactory?>(nil)
        let app = try await RelyingParty(
            configure: { $0.requiresDPoPNonce = true },
            through: { server in
                ChangedTransport(
                    base: server,
                    changeResponse: { request, answer in
                        guard request.path == InProcessProvider.Endpoint.userInfo.path else { return }
                        let proofs = proofs.withLock { $0 }
                        proofs?.noteNonce(in: answer.head.headerFields, from: "https://provider.example")
                    }
                )
            }
        )
        let tokens = try await app.signIn(dpopKey: key)
        app.server.rotateDPoPNonce()
        proofs.withLock { $0 = app.provider.proofs }
        #expect(try await app.userInfo(tokens, dpopKey: key).email == "jane@example.com")
        #expect(Self.statuses(app, .userInfo) == [401, 200])
    }

    // MARK: Refused tokens

    /// RFC 9449, 5: a bearer token in place of a sender-constrained one can be used by anyone.
    @Test(arguments: ["Bearer", "mac", ""])
    func `a token of another type is refused if a DPoP-bound token was requested`(type: String) async throws {
        let app = try await RelyingParty()
        app.server.inject(.responseMember("token_type", .string(type)))
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn(dpopKey: key) }
        #expect(error == OpenIDError(.token, .invalidResponse))
        #expect(try await app.signIn(dpopKey: key).idToken != nil)
    }

    @Test func `the token type is compared without case`() async throws {
        let app = try await RelyingParty()
        app.server.inject(.responseMember("token_type", .string("dpop")))
        #expect(try await app.signIn(dpopKey: key).idToken != nil)
        app.server.inject(.responseMember("token_type", .string("BEARER")))
        #expect(try await app.signIn().idToken != nil)
    }

    @Test func `a DPoP-bound token is refused if a bearer token was requested`() async throws {
        let app = try await RelyingParty()
        app.server.inject(.responseMember("token_type", .string("DPoP")))
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error == OpenIDError(.token, .invalidResponse))
    }

    // MARK: The key

    @Test func `tokens are valid only with their own key`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn(dpopKey: key)
        for stranger in [DPoPKey(), nil] {
            let error = await #expect(throws: OpenIDError.self) { try await app.userInfo(tokens, dpopKey: stranger) }
            #expect(error?.reason == (stranger == nil ? .missingDPoPKey : .unauthorized))
            let refresh = await #expect(throws: OpenIDError.self) {
                try await app.refreshed(tokens, dpopKey: stranger)
            }
            #expect(refresh?.oauthCode == .invalidGrant)
        }
        #expect(try await app.refreshed(tokens, dpopKey: key).tokens.refreshToken != nil)
    }

    @Test func `a code is valid only with the key of its request`() async throws {
        let app = try await RelyingParty()
        let request = app.request(dpopKey: key)
        let response = try await app.response(to: request)
        let stolen = AuthorizationRequest(
            provider: request.provider,
            clientID: request.clientID,
            redirectURI: request.redirectURI,
            parameters: request.parameters,
            nonce: request.nonce,
            dpopKey: DPoPKey(),
            state: request.state,
            codeVerifier: request.codeVerifier
        )
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.tokens(for: response, to: stolen)
        }
        #expect(error?.oauthCode == .invalidGrant)
        #expect(try await app.provider.tokens(for: response, to: request).idToken != nil)
    }

    /// RFC 9449, 11.1: the nonce comes with the server's date, and the proof uses that time.
    @Test func `proofs are valid with a clock that is an hour off if the server sends a nonce`() async throws {
        let app = try await Self.strict()
        app.server.clockOffset = .seconds(3_600)
        let tokens = try await app.signIn(dpopKey: key)
        #expect(try await app.userInfo(tokens, dpopKey: key).email == "jane@example.com")
    }

    // MARK: Time

    /// The refusal shows the time, and that the device's clock is wrong.
    @Test(arguments: [-3_600.0, -600, 600, 3_600])
    func `a device with a wrong clock can sign in and refresh`(seconds: Double) async throws {
        let clock = TestClock()
        let app = try await RelyingParty(
            clock: clock,
            settings: { $0.now = { clock.date.addingTimeInterval(seconds) } }
        )
        let tokens = try await app.signIn(dpopKey: key)
        #expect(Self.statuses(app, .token) == [400, 200])
        #expect(try await app.userInfo(tokens, dpopKey: key).email == "jane@example.com")
        // Another process has not learned the offset.
        let other = OpenIDProvider(
            metadata: app.provider.metadata,
            client: app.provider.client,
            settings: app.provider.settings
        )
        let refreshToken = try #require(tokens.tokens.refreshToken)
        _ = try await other.refreshed(with: refreshToken, previous: nil, dpopKey: key, sendGuard: { true })
        #expect(Self.statuses(app, .token) == [400, 200, 400, 200])
    }

    @Test func `a proof that is refused for a reason other than time is not sent again`() async throws {
        let app = try await RelyingParty()
        app.server.inject(.error("invalid_dpop_proof", at: .token))
        await #expect(throws: OpenIDError(.token, .refused)) { try await app.signIn(dpopKey: key) }
        #expect(Self.statuses(app, .token) == [400])
    }
}
