// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Crypto
package import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The key that tokens are bound to: a token can't be used without its key.
///
/// Created once for a session and kept with it. ES256 only. [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449).
public struct DPoPKey: Sendable, Redacted {
    private let privateKey: P256.Signing.PrivateKey

    /// Creates a new key.
    public init() { privateKey = P256.Signing.PrivateKey() }

    /// Creates a key from its stored ``bytes``, which are secret; returns nil if they are not a key.
    package init?(_ bytes: SecretBytes) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes.unredacted) else { return nil }
        privateKey = key
    }

    /// The private key, for the store; secret.
    package var bytes: SecretBytes { SecretBytes(Array(privateKey.rawRepresentation)) }

    /// The public key as a JWK, its members in the order that a thumbprint needs (RFC 7638, 3.2).
    var publicKey: String {
        let point = Array(privateKey.publicKey.rawRepresentation)
        let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
        return #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    }

    /// The key's thumbprint, `dpop_jkt`, which a provider binds codes and tokens to; not secret.
    package var thumbprint: String { Self.hash(of: publicKey) }

    /// Returns a proof that a request's sender has the key, in the compact form, good for one use.
    ///
    /// The URL is without query, and the time in seconds since 1970, by the server's clock as far as it is known.
    /// Wire: `DPoP`. [RFC 9449, 4.2](https://www.rfc-editor.org/rfc/rfc9449#section-4.2).
    func proof(method: String, url: String, token: AccessToken?, nonce: String?, at time: Int64) throws -> String {
        let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(publicKey)}"#
        var claims: [String: JSONValue] = [
            "jti": .string(Base64URL.encode(RandomBytes.make(16))),
            "htm": .string(method),
            "htu": .string(url),
            "iat": .integer(time),
        ]
        if let nonce { claims["nonce"] = .string(nonce) }
        if let token { claims["ath"] = .string(Self.hash(of: token.unredacted)) }
        let text = Base64URL.encode(header.utf8) + "." + Base64URL.encode(try JSONValue.text(of: claims))
        let signature = try privateKey.signature(for: Array(text.utf8)).rawRepresentation
        return text + "." + Base64URL.encode(Array(signature))
    }

    /// Returns the SHA-256 of a text, as it stands in a thumbprint and in `ath`, the hash of an access token.
    static func hash(of text: String) -> String { Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8)))) }
}

extension TokenSet {
    /// The key that the tokens are bound to; nil for bearer tokens.
    package var dpopKey: DPoPKey? { dpopKeyBytes.flatMap { DPoPKey($0) } }
}

/// A factory of proofs of possession, which remembers the nonce of each server (RFC 9449, 8 and 9).
package final class DPoPProofFactory: Sendable {
    private struct Known {
        var nonces: [String: String] = [:]
        var offset = ClockOffset.zero
    }

    /// More servers than any app talks to.
    private static let maximumServers = 64

    private let known = Mutex(Known())
    private let now: @Sendable () -> Date

    /// Creates a factory without a nonce, with a wall clock.
    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// Returns the header field with a new proof, good for one request to a path without query.
    package func field(
        by key: DPoPKey,
        method: String,
        origin: String,
        path: String,
        token: AccessToken?
    ) throws -> HTTPField {
        let nonce = nonce(for: origin)
        let proof = try key.proof(method: method, url: origin + path, token: token, nonce: nonce, at: serverTime)
        return HTTPField(name: .dpop, value: proof)
    }

    /// Stores a server's nonce from a response's fields, which are untrusted; returns nil if it has no valid nonce.
    @discardableResult
    package func noteNonce(in fields: HTTPFields, from origin: String) -> String? {
        // RFC 9449, 8.1: NQCHAR.
        guard let nonce = fields[.dpopNonce], (1...1_024).contains(nonce.utf8.count),
            nonce.utf8.allSatisfy(TokenCharacters.isScope)
        else { return nil }
        known.withLock { known in
            if known.nonces.count >= Self.maximumServers, known.nonces[origin] == nil { known.nonces = [:] }
            known.nonces[origin] = nonce
        }
        return nonce
    }

    /// Returns the nonce that a proof for an origin would carry now; nil if the server has given no nonce.
    package func nonce(for origin: String) -> String? { known.withLock { $0.nonces[origin] } }

    /// The time in seconds since 1970, by the provider's clock as far as it is known.
    package var serverTime: Int64 { Int64(now().timeIntervalSince1970 + offset.duration.timeInterval) }

    /// The offset of the provider's clock, as far as it is known: a server refuses a proof from another time.
    package var offset: ClockOffset {
        get { known.withLock { $0.offset } }
        set { known.withLock { $0.offset = newValue } }
    }
}

extension HTTPField.Name {
    /// The field of a proof; the fallback is never used, because the name is valid.
    package static let dpop = HTTPField.Name("DPoP") ?? .authorization
    /// The nonce that a server wants in the next proof.
    package static let dpopNonce = HTTPField.Name("DPoP-Nonce") ?? .authorization
}
