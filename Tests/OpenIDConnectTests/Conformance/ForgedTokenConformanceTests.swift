// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Crypto
import HTTPTypes
import Testing

@testable import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// ID tokens of an attacker who controls the provider's responses.
///
/// [RFC 8725, 2 and 3](https://www.rfc-editor.org/rfc/rfc8725#section-3),
/// [RFC 7515, 10](https://www.rfc-editor.org/rfc/rfc7515#section-10).
@Suite struct ForgedTokenConformanceTests {
    private let forge = TokenForge()

    // MARK: The kind of token

    /// RFC 8725, 3.11 and RFC 9068, 4: an access token is not an ID token, though the same key has signed it.
    @Test(arguments: ["at+jwt", "AT+JWT", "application/at+jwt", "logout+jwt", "dpop+jwt"])
    func `a token whose typ names another kind of token is refused`(type: String) async throws {
        let app = try await RelyingParty(forge)
        let refusal = try await app.idTokenRefusal(of: forge) { $0.header["typ"] = .string(type) }
        #expect(refusal == IDTokenError(.wrongType))
    }

    @Test(arguments: [.string("jwt"), .string("JOSE"), nil] as [JSONValue?])
    func `a token with a generic typ or without a typ is accepted`(type: JSONValue?) async throws {
        let app = try await RelyingParty(forge)
        forge.change { $0.header["typ"] = type }
        #expect(try await app.signIn().idToken != nil)
    }

    // MARK: Keys in the header

    /// The URL is not fetched and not trusted: only the provider's keys are searched.
    @Test(arguments: ["jku", "x5u"])
    func `a key URL in the header is never fetched`(name: String) async throws {
        let stranger = P256.Signing.PrivateKey()
        let app = try await RelyingParty(forge)
        let refusal = try await app.idTokenRefusal(of: forge) { token in
            token.header[name] = .string("https://evil.example/keys")
            token.sign = TokenForge.es256(stranger)
        }
        #expect(refusal == IDTokenError(.invalidSignature))
        #expect(app.contactedOnlyProvider)
    }

    @Test func `a key in the header is ignored, even under a new key ID`() async throws {
        let stranger = P256.Signing.PrivateKey()
        let app = try await RelyingParty(forge)
        let refusal = try await app.idTokenRefusal(of: forge) { token in
            token.header["kid"] = .string("new")
            token.header["jwk"] = .object(TokenForge.jwk(of: stranger, id: "new"))
            token.sign = TokenForge.es256(stranger)
        }
        #expect(refusal == IDTokenError(.unknownKey))
    }

    // MARK: The algorithm

    @Test(arguments: ["none", "None", "NONE", "nOnE", "", "es256", "ES256 ", "HS256", "ES256K", "RSA-OAEP"])
    func `an unknown or unsupported algorithm is refused`(name: String) async throws {
        let app = try await RelyingParty(forge)
        let refusal = try await app.idTokenRefusal(of: forge) { $0.header["alg"] = .string(name) }
        #expect(refusal == IDTokenError(.algorithmNotAllowed))
    }

    /// A symmetric key in a published key set is known to everyone.
    @Test func `a shared secret in the key set is not used as a key`() async throws {
        let app = try await RelyingParty(forge)
        let secret = [UInt8](repeating: 7, count: 32)
        forge.publish([
            TokenForge.jwk(of: forge.key),
            [
                "kty": .string("oct"), "kid": .string("shared"), "alg": .string("HS256"),
                "k": .string(Base64URL.encode(secret)),
            ],
        ])
        let refusal = try await app.idTokenRefusal(of: forge) { token in
            token.header["alg"] = .string("HS256")
            token.header["kid"] = .string("shared")
            token.sign = { text in
                Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: secret)))
            }
        }
        #expect(refusal == IDTokenError(.algorithmNotAllowed))
    }

    // MARK: Keys that may sign

    @Test(
        arguments: [
            ("use", .string("enc"), .unknownKey), ("alg", .string("ES384"), .unknownKey),
            ("key_ops", .array([.string("encrypt")]), .unknownKey), ("kid", .string("other"), .unknownKey),
            ("crv", .string("P-384"), .malformedKey), ("kty", .string("OKP"), .malformedKey),
            ("kty", nil, .malformedKey), ("x", .string("AAAA"), .malformedKey), ("y", .null, .malformedKey),
        ] as [(String, JSONValue?, IDTokenError.Code)]
    )
    func `a published key that is for another purpose or malformed is not used`(
        member: String,
        value: JSONValue?,
        code: IDTokenError.Code
    ) async throws {
        var jwk = TokenForge.jwk(of: forge.key)
        jwk[member] = value
        forge.publish([jwk])
        let app = try await RelyingParty(forge)
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error?.underlying as? IDTokenError == IDTokenError(code))
        if code == .malformedKey { #expect("\(try #require(error))".contains("the published key is malformed")) }
        forge.publish([TokenForge.jwk(of: forge.key)])
        app.clock.advance(by: .seconds(60))
        #expect(try await app.signIn().idToken != nil)
    }

    @Test(arguments: [(0, nil), (3, nil), (4, IDTokenError(.invalidSignature))] as [(Int, IDTokenError?)])
    func `of the keys with one key ID, four are tried`(others: Int, expected: IDTokenError?) async throws {
        let keys = (0..<others).map { _ in TokenForge.jwk(of: P256.Signing.PrivateKey()) }
        forge.publish(keys + [TokenForge.jwk(of: forge.key), TokenForge.jwk(of: P256.Signing.PrivateKey())])
        let app = try await RelyingParty(forge)
        #expect(await Self.refusal(app) == expected)
    }

    private static func refusal(_ app: RelyingParty) async -> IDTokenError? {
        do {
            return try await app.signIn().idToken == nil ? IDTokenError(.missing) : nil
        } catch {
            return (error as? OpenIDError)?.refusedToken
        }
    }

    // MARK: Keys as servers write them

    @Test(arguments: [.null, .string("")] as [JSONValue])
    func `a member of a key that is null or empty is absent`(value: JSONValue) async throws {
        var jwk = TokenForge.jwk(of: forge.key)
        for member in ["use", "alg", "key_ops", "kid", "x5c", "x5t", "issuer"] { jwk[member] = value }
        forge.publish([jwk])
        #expect(await Self.refusal(try await RelyingParty(forge)) == nil)
    }

    /// The bare one has neither name nor purpose.
    @Test(arguments: [TokenForge.keyID, nil] as [String?])
    func `a key that is listed twice, once with its certificates, is one key`(id: String?) async throws {
        var bare = TokenForge.jwk(of: forge.key)
        for member in ["kid", "use", "alg"] { bare[member] = nil }
        var certified = TokenForge.jwk(of: forge.key)
        certified["x5c"] = .array([.string("MIIB")])
        forge.change { $0.header["kid"] = id.map { .string($0) } }
        for keys in [[bare, certified], [certified, bare], [certified, certified]] {
            forge.publish(keys)
            #expect(await Self.refusal(try await RelyingParty(forge)) == nil)
        }
    }

    /// RFC 7517, 4.5: `kid` is optional.
    @Test func `a key without an ID is tried for a token that names one, unless another key has that ID`() async throws
    {
        var nameless = TokenForge.jwk(of: forge.key)
        nameless["kid"] = nil
        forge.publish([nameless, TokenForge.jwk(of: P256.Signing.PrivateKey(), id: "other")])
        #expect(await Self.refusal(try await RelyingParty(forge)) == nil)
        forge.publish([nameless, TokenForge.jwk(of: P256.Signing.PrivateKey())])
        #expect(await Self.refusal(try await RelyingParty(forge)) == IDTokenError(.invalidSignature))
        var malformed = TokenForge.jwk(of: forge.key)
        malformed["x"] = nil
        forge.publish([nameless, malformed])
        #expect(await Self.refusal(try await RelyingParty(forge)) == IDTokenError(.malformedKey))
    }

    @Test func `a malformed key does not hide the one beside it`() async throws {
        var malformed = TokenForge.jwk(of: forge.key, id: "malformed")
        malformed["x"] = .integer(1)
        for id in ["malformed", TokenForge.keyID] {
            malformed["kid"] = .string(id)
            forge.publish([malformed, TokenForge.jwk(of: forge.key)])
            #expect(await Self.refusal(try await RelyingParty(forge)) == nil)
        }
    }

    @Test func `a server that has only the media type of key sets is asked for it`() async throws {
        let app = try await RelyingParty(through: { server in
            ChangedTransport(
                base: server,
                changeResponse: { request, answer in
                    guard request.path == InProcessProvider.Endpoint.jwks.path else { return }
                    let accepted = request.head.headerFields[.accept] ?? ""
                    answer.head.status = accepted.contains("application/jwk-set+json") ? .ok : .init(code: 406)
                }
            )
        })
        #expect(await Self.refusal(app) == nil)
    }

    @Test func `an unusable key in the key set is ignored`() async throws {
        forge.publish([
            ["kty": .string("future")], TokenForge.jwk(of: forge.key), ["kty": .string("RSA"), "n": .string("AQAB")],
        ])
        #expect(try await RelyingParty(forge).signIn().idToken != nil)
    }

    // MARK: The signature

    @Test func `claims that were changed after signing are refused`() async throws {
        let app = try await RelyingParty(forge)
        let refusal = try await app.idTokenRefusal(of: forge) { token in
            var claims = token.claims
            claims["sub"] = .string("another-person")
            let payload = Base64URL.encode(try JSONEncoder().encode(claims))
            token.finish = { compact in
                let parts = compact.split(separator: ".")
                return "\(parts[0]).\(payload).\(parts[2])"
            }
        }
        #expect(refusal == IDTokenError(.invalidSignature))
    }

    /// RFC 7518, 3.4: both numbers in full length, not in the DER form of certificates.
    @Test func `a signature in DER is refused`() async throws {
        let app = try await RelyingParty(forge)
        let key = forge.key
        let refusal = try await app.idTokenRefusal(of: forge) { token in
            token.sign = { Array(try key.signature(for: Data($0.utf8)).derRepresentation) }
        }
        #expect(refusal == IDTokenError(.invalidSignature))
    }

    /// CVE-2022-21449: some libraries accepted zeros as a valid signature of any text.
    @Test(arguments: [0, 63, 64, 65])
    func `a signature of zeros is refused`(count: Int) async throws {
        let app = try await RelyingParty(forge)
        let refusal = try await app.idTokenRefusal(of: forge) { token in
            token.sign = { _ in [UInt8](repeating: 0, count: count) }
        }
        #expect(refusal == IDTokenError(.invalidSignature))
    }

    // MARK: The form

    @Test func `a text that is not a signed JWT is refused`() async throws {
        let app = try await RelyingParty(forge)
        let forms: [@Sendable (String) -> String] = [
            { $0 + "." }, { $0 + ".e30.e30" }, { "." + $0 }, { String($0.dropLast(88)) }, { $0 + "=" },
            { _ in "not-a-token" }, { $0.replacing(".", with: "..") },
        ]
        for form in forms {
            let refusal = try await app.idTokenRefusal(of: forge) { $0.finish = form }
            #expect(refusal == IDTokenError(.malformed))
            forge.change { _ in }
        }
    }

    /// RFC 7519, 4: with a duplicate claim it is undefined which value counts.
    @Test func `a duplicate claim is refused, although it is signed`() async throws {
        let app = try await RelyingParty(forge)
        let key = forge.key
        let refusal = try await app.idTokenRefusal(of: forge) { token in
            let json = String(decoding: try JSONEncoder().encode(token.claims), as: UTF8.self)
            let twice = Base64URL.encode((json.dropLast() + #","sub":"another-person"}"#).utf8)
            token.finish = { compact in
                let text = "\(compact.split(separator: ".")[0]).\(twice)"
                return text + "." + Base64URL.encode(try TokenForge.es256(key)(text))
            }
        }
        #expect(refusal == IDTokenError(.malformed))
    }
}
