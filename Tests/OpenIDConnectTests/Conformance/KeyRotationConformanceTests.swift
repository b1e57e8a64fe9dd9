import AuthCore
import AuthTesting
import Crypto
import Testing

@testable import OpenIDConnect

/// When the provider's keys are fetched: as often as needed, and not as often as tokens say.
///
/// [OpenID Connect Core 1.0, 10.1.1](https://openid.net/specs/openid-connect-core-1_0.html#RotateSigKeys).
@Suite struct KeyRotationConformanceTests {
    private static func refusal(_ app: RelyingParty) async -> IDTokenError? {
        let error = await #expect(throws: TokenEndpointError.self) { try await app.signIn() }
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

    @Test func `an unknown key is looked for once a minute, however many tokens name one`() async throws {
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

    /// Else whoever has one bad token could make every sign-in fetch.
    @Test func `an unknown key does no harm to the tokens of known ones`() async throws {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        app.server.inject(.signature(.unknownKey))
        #expect(await Self.refusal(app) == IDTokenError(.unknownKey))
        #expect(try await app.signIn().idToken != nil)
    }

    @Test func `a key that was taken back is good for a day at most`() async throws {
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

    /// A key set with a new key, in which it has the old one's name or, like the old one, none.
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
    func `a key that took another one's name is fetched when a signature is not of the old one`(name: String?)
        async throws
    {
        let (app, forge, change) = try await Self.replaced(name)
        forge.change(change)
        #expect(try await app.signIn().idToken != nil)
        #expect(try await app.signIn().idToken != nil)
        #expect(app.server.count(at: .jwks) == 2)
    }

    /// RFC 7515, 5.2: a bad signature stays one; fetching at each would let one token make an app ask without end.
    @Test func `for bad signatures the keys are fetched once a minute, and the tokens are refused`() async throws {
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

    @Test func `unknown keys and bad signatures share one limit`() async throws {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        app.server.inject(.signature(.unknownKey))
        #expect(await Self.refusal(app) == IDTokenError(.unknownKey))
        app.server.inject(.signature(.wrong))
        #expect(await Self.refusal(app) == IDTokenError(.invalidSignature))
        #expect(app.server.count(at: .jwks) == 2)
    }

    // MARK: Keys that can't be had

    @Test(
        arguments: [
            .status(503, at: .jwks), .status(404, at: .jwks), .html(at: .jwks), .body("{}", at: .jwks),
            .body(#"{"keys":{}}"#, at: .jwks), .unreachable(at: .jwks), .dropReply(at: .jwks),
            .redirect(to: "https://evil.example/keys", at: .jwks),
        ] as [InProcessProvider.Fault]
    )
    func `keys that can't be had say nothing of the token, and are asked for anew`(
        fault: InProcessProvider.Fault
    ) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(fault) }
        #expect(refusal == IDTokenError(.keysUnavailable))
        #expect(app.askedNobodyElse)
        #expect(app.server.requests(at: .jwks).count == 2)
    }

    @Test func `known keys go on serving while the provider's key set is away`() async throws {
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
