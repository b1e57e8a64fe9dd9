// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Crypto
import Testing

@testable import OpenIDConnect

/// Fetches of the provider's keys: as often as needed, but not as often as tokens demand.
///
/// [OpenID Connect Core 1.0, 10.1.1](https://openid.net/specs/openid-connect-core-1_0.html#RotateSigKeys).
@Suite struct KeyRotationConformanceTests {
    private static func refusal(_ app: RelyingParty) async -> IDTokenError? {
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        return error?.underlying as? IDTokenError
    }

    private static func keyID(of tokens: OpenIDTokens) throws -> String {
        let idToken = try #require(tokens.tokens.idToken)
        let header = try UnverifiedJWT(idToken).header
        return try #require(header.keyID)
    }

    @Test func `oidcc-client-test-signing-key-rotation: a new key is fetched when a token names it`() async throws {
        let app = try await RelyingParty()
        let old = try Self.keyID(of: try await app.signIn())
        app.clock.advance(by: .seconds(60))
        app.server.rotateKeys()
        let new = try Self.keyID(of: try await app.signIn())
        #expect(app.server.count(at: .jwks) == 2)
        #expect(old != new)
    }

    @Test func `oidcc-client-test-signing-key-rotation-just-before-signing: a code's token may have a new key`()
        async throws
    {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        app.clock.advance(by: .seconds(60))
        let request = app.request()
        let response = try await app.response(to: request)
        app.server.rotateKeys()
        #expect(try await app.provider.tokens(for: response, to: request).idToken != nil)
        #expect(app.server.count(at: .jwks) == 2)
    }

    @Test func `keys are fetched for the first token and kept for the others`() async throws {
        let app = try await RelyingParty()
        #expect(app.server.count(at: .jwks) == 0)
        for _ in 0..<3 {
            let tokens = try await app.signIn()
            _ = try await app.refreshed(tokens)
        }
        #expect(app.server.count(at: .jwks) == 1)
    }

    @Test func `unknown keys cause at most one fetch a minute`() async throws {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        app.server.inject(.signature(.unknownKey), times: .max)
        for _ in 0..<3 { #expect(await Self.refusal(app) == IDTokenError(.unknownKey)) }
        #expect(app.server.count(at: .jwks) == 2)
        app.clock.advance(by: .seconds(59))
        #expect(await Self.refusal(app) == IDTokenError(.unknownKey))
        #expect(app.server.count(at: .jwks) == 2)
        app.clock.advance(by: .seconds(1))
        for _ in 0..<3 { #expect(await Self.refusal(app) == IDTokenError(.unknownKey)) }
        #expect(app.server.count(at: .jwks) == 3)
        app.clock.advance(by: .seconds(60))
        #expect(await Self.refusal(app) == IDTokenError(.unknownKey))
        #expect(app.server.count(at: .jwks) == 4)
        app.server.clearFaults()
        #expect(try await app.signIn().idToken != nil)
        #expect(app.server.count(at: .jwks) == 4)
    }

    /// Otherwise a single bad token could force a fetch at every sign-in.
    @Test func `tokens with a known key stay valid after an unknown key`() async throws {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        app.server.inject(.signature(.unknownKey))
        #expect(await Self.refusal(app) == IDTokenError(.unknownKey))
        #expect(try await app.signIn().idToken != nil)
    }

    @Test func `a withdrawn key stays valid for a day at most`() async throws {
        let forge = TokenForge()
        let app = try await RelyingParty(forge)
        _ = try await app.signIn()
        forge.publish([])
        app.clock.advance(by: .seconds(86_399))
        #expect(try await app.signIn().idToken != nil)
        app.clock.advance(by: .seconds(1))
        #expect(await Self.refusal(app) == IDTokenError(.unknownKey))
    }

    // MARK: A new key under an old name

    /// Returns an app, its forge with a new key under the old name, and the change to sign with it; nil means no name.
    private static func replaced(_ name: String?) async throws -> (RelyingParty, TokenForge, TokenForge.Change) {
        let forge = TokenForge()
        let key = P256.Signing.PrivateKey()
        var jwks = [TokenForge.jwk(of: forge.key), TokenForge.jwk(of: key)]
        for index in jwks.indices { jwks[index]["kid"] = name.map { .string($0) } }
        forge.publish([jwks[0]])
        forge.change { $0.header["kid"] = name.map { .string($0) } }
        let app = try await RelyingParty(forge)
        _ = try await app.signIn()
        forge.publish([jwks[1]])
        return (
            app, forge,
            {
                $0.header["kid"] = name.map { .string($0) }; $0.sign = TokenForge.es256(key)
            }
        )
    }

    @Test(arguments: ["forge", nil] as [String?])
    func `a key that replaces another under its name is fetched if a signature is invalid`(name: String?)
        async throws
    {
        let (app, forge, change) = try await Self.replaced(name)
        forge.change(change)
        #expect(try await app.signIn().idToken != nil)
        #expect(try await app.signIn().idToken != nil)
        #expect(app.server.count(at: .jwks) == 2)
    }

    /// RFC 7515, 5.2: a bad signature stays invalid; a fetch for each would let one token cause endless requests.
    @Test func `invalid signatures cause one fetch a minute, and the tokens are refused`() async throws {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        app.server.inject(.signature(.wrong), times: .max)
        for _ in 0..<3 { #expect(await Self.refusal(app) == IDTokenError(.invalidSignature)) }
        #expect(app.server.count(at: .jwks) == 2)
        app.clock.advance(by: .seconds(60))
        for _ in 0..<3 { #expect(await Self.refusal(app) == IDTokenError(.invalidSignature)) }
        #expect(app.server.count(at: .jwks) == 3)
        app.server.clearFaults()
        #expect(try await app.signIn().idToken != nil)
    }

    @Test func `unknown keys and invalid signatures share one limit`() async throws {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        app.server.inject(.signature(.unknownKey))
        #expect(await Self.refusal(app) == IDTokenError(.unknownKey))
        app.server.inject(.signature(.wrong))
        #expect(await Self.refusal(app) == IDTokenError(.invalidSignature))
        #expect(app.server.count(at: .jwks) == 2)
    }

    // MARK: Several tokens at once

    /// Signs in twice; the second sign-in starts while the keys for the first are held back.
    private static func signInTwice(
        _ app: RelyingParty,
        meanwhile: (Task<OpenIDTokens, any Error>) async -> Void = { _ in }
    ) async -> [Result<OpenIDTokens, any Error>] {
        let clock = app.clock
        app.server.inject(.delayResponse(at: .jwks) { try await clock.sleep(for: .seconds(1)) })
        let first = Task { try await app.signIn() }
        await clock.sleepers()
        let count = app.server.count(at: .token)
        let second = Task { try await app.signIn() }
        while app.server.count(at: .token) == count { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        await meanwhile(first)
        clock.advance(by: .seconds(1))
        return [await first.result, await second.result]
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["forge", nil] as [String?])
    func `the check of an invalid signature waits for a running key fetch`(name: String?) async throws {
        let (app, forge, change) = try await Self.replaced(name)
        forge.change(change)
        for result in await Self.signInTwice(app) { #expect(try result.get().idToken != nil) }
        #expect(app.server.count(at: .jwks) == 2)
        #expect(app.server.count(at: .revocation) == 0)
    }

    @Test(.timeLimit(.minutes(1))) func `the check of an unknown key waits for a running key fetch`() async throws {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        app.server.rotateKeys()
        for result in await Self.signInTwice(app) { #expect(try result.get().idToken != nil) }
        #expect(app.server.count(at: .jwks) == 2)
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled sign-in does not cancel the key fetch for another`() async throws {
        let app = try await RelyingParty()
        let results = await Self.signInTwice(app) { first in
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
        }
        #expect(try results[1].get().idToken != nil)
        #expect(app.server.count(at: .jwks) == 1)
    }

    // MARK: Unavailable keys

    @Test(
        arguments: [
            .status(503, at: .jwks), .status(404, at: .jwks), .html(at: .jwks), .body("{}", at: .jwks),
            .body(#"{"keys":{}}"#, at: .jwks), .unreachable(at: .jwks), .dropResponse(at: .jwks),
            .redirect(to: "https://evil.example/keys", at: .jwks),
        ] as [InProcessProvider.Fault]
    )
    func `unavailable keys are reported as such and are fetched again`(
        fault: InProcessProvider.Fault
    ) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(fault) }
        #expect(refusal == IDTokenError(.keysUnavailable))
        #expect(app.contactedOnlyProvider)
        #expect(app.server.requests(at: .jwks).count == 2)
    }

    @Test func `known keys stay in use while the key set is unreachable`() async throws {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        app.server.inject(.unreachable(at: .jwks), times: .max)
        app.clock.advance(by: .seconds(3_600))
        #expect(try await app.signIn().idToken != nil)
        #expect(app.server.requests(at: .jwks).count == 1)
    }

    @Test func `two providers share no keys`() async throws {
        let one = try await RelyingParty()
        _ = try await one.signIn()
        let other = try await RelyingParty(issuer: "https://other.example", clock: one.clock)
        #expect(try await other.signIn().idToken != nil)
        #expect(other.server.count(at: .jwks) == 1)
        #expect(one.server.count(at: .jwks) == 1)
    }
}
