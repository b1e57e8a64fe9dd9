// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The key that tokens are bound to: a token can't be used without its key.
///
/// Created once for a session and kept with it. ES256 only.
/// [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449).
public struct DPoPKey: Sendable, Redacted {
    private let privateKey: P256.Signing.PrivateKey

    /// Creates a new key.
    public init() {
        privateKey = P256.Signing.PrivateKey()
    }

    /// Creates a key from its stored ``bytes``, which are secret; returns nil if they are not a key.
    package init?(_ bytes: SecretBytes) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes.unredacted) else { return nil }
        privateKey = key
    }

    /// The private key, for the store; secret.
    package var bytes: SecretBytes { SecretBytes(Array(privateKey.rawRepresentation)) }

    /// The public key as a JWK, its members in the order that a thumbprint needs.
    ///
    /// [RFC 7638, 3.2](https://www.rfc-editor.org/rfc/rfc7638#section-3.2).
    var publicKey: String {
        let point = Array(privateKey.publicKey.rawRepresentation)
        let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
        return #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    }

    /// The key's thumbprint, which a provider binds codes and tokens to; not secret.
    ///
    /// Wire: `dpop_jkt`, `jkt`. [RFC 9449, 10](https://www.rfc-editor.org/rfc/rfc9449#section-10).
    package var thumbprint: String {
        Base64URL.encode(Array(SHA256.hash(data: Array(publicKey.utf8))))
    }

    /// Returns a signature in the JWS format.
    func signature(of text: String) throws -> [UInt8] {
        Array(try privateKey.signature(for: Array(text.utf8)).rawRepresentation)
    }
}

extension TokenSet {
    /// The key that the tokens are bound to; nil for bearer tokens.
    package var dpopKey: DPoPKey? { dpopKeyBytes.flatMap { DPoPKey($0) } }
}

/// A proof, for one request, that its sender has the key.
///
/// Wire: `DPoP`. [RFC 9449, 4.2](https://www.rfc-editor.org/rfc/rfc9449#section-4.2).
struct DPoPProof {
    /// The request's method.
    let method: String
    /// The request's URL, without query and fragment.
    let url: String
    /// The access token in the request; nil at a token endpoint.
    var accessToken: AccessToken?
    /// The server's nonce; nil if the server has given no nonce.
    var nonce: String?
    /// The time in seconds since 1970, by the server's clock as far as it is known.
    let issuedAt: Int64

    /// Returns the proof in the compact form, good for one use.
    func signed(by key: DPoPKey) throws -> String {
        let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(key.publicKey)}"#
        var claims: [String: JSONValue] = [
            "jti": .string(Base64URL.encode(RandomBytes.make(16))),
            "htm": .string(method),
            "htu": .string(url),
            "iat": .integer(issuedAt),
        ]
        if let nonce { claims["nonce"] = .string(nonce) }
        if let accessToken { claims["ath"] = .string(Self.hash(of: accessToken)) }
        let text = Base64URL.encode(header.utf8) + "." + Base64URL.encode(try JSONValue.text(of: claims))
        return text + "." + Base64URL.encode(try key.signature(of: text))
    }

    /// Returns the hash of the access token that goes with a proof.
    ///
    /// Wire: `ath`. [RFC 9449, 4.2](https://www.rfc-editor.org/rfc/rfc9449#section-4.2).
    static func hash(of token: AccessToken) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(token.unredacted.utf8))))
    }
}
