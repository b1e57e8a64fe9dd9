// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Crypto
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
            ("use", .string("enc")), ("alg", .string("ES384")), ("key_ops", .array([.string("encrypt")])),
            ("crv", .string("P-384")), ("kty", .string("OKP")), ("kid", .string("other")), ("x", .string("AAAA")),
        ] as [(String, JSONValue)]
    )
    func `a published key for another purpose is not used`(
        member: String,
        value: JSONValue
    ) async throws {
        var jwk = TokenForge.jwk(of: forge.key)
        jwk[member] = value
        forge.publish([jwk])
        let app = try await RelyingParty(forge)
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error?.underlying as? IDTokenError == IDTokenError(.unknownKey))
        forge.publish([TokenForge.jwk(of: forge.key)])
        app.clock.advance(by: .seconds(60))
        #expect(try await app.signIn().idToken != nil)
    }

    @Test func `two keys with the same key ID are ambiguous`() async throws {
        let twin = P256.Signing.PrivateKey()
        forge.publish([TokenForge.jwk(of: forge.key), TokenForge.jwk(of: twin)])
        let app = try await RelyingParty(forge)
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error?.underlying as? IDTokenError == IDTokenError(.ambiguousKey))
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
