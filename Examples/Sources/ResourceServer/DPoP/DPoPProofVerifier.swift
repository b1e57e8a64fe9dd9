// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import HTTPTypes
internal import Hummingbird

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A verifier of the proofs that come with bound access tokens.
///
/// Doesn't ask for a nonce: a proof is accepted for 60 seconds around its time, and once.
/// [RFC 9449, 4.3](https://www.rfc-editor.org/rfc/rfc9449#section-4.3).
struct DPoPProofVerifier: Sendable {
    /// The accepted difference between a proof's time and the server's clock, in seconds.
    static let window: TimeInterval = 60
    private static let field = HTTPField.Name("DPoP")

    private struct Claims: Decodable {
        let jti: String
        let htm: String
        let htu: String
        let iat: Double
        let ath: String
    }

    /// The URL under which clients reach this server.
    let baseURL: String
    let now: @Sendable () -> Date
    private let accepted = DPoPReplayCache(lifetime: 2 * DPoPProofVerifier.window)

    init(baseURL: String, now: @escaping @Sendable () -> Date) {
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.now = now
    }

    /// Verifies a request's proof, which can't be used again.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - token: The access token in it. Secret.
    ///   - thumbprint: The thumbprint of the key that the token is bound to.
    /// - Throws: ``AccessTokenError`` (`invalidDPoPProof`; `replayCacheFull`).
    func verify(_ request: Request, token: String, thumbprint: String) throws {
        let proofs = Self.field.map { request.headers[values: $0] } ?? []
        guard proofs.count == 1, let jws = CompactJWS(proofs[0]), jws.header.typ?.lowercased() == "dpop+jwt",
            jws.header.alg == "ES256", let jwk = jws.header.jwk, jwk.d == nil,
            let key = VerificationKey(jwk), key.isValidSignature(of: jws),
            let claims = try? JSONDecoder().decode(Claims.self, from: jws.payload), !claims.jti.isEmpty
        else { throw AccessTokenError(.invalidDPoPProof) }
        let now = now()
        guard claims.htm == request.method.rawValue,
            let url = Self.normalized(baseURL + (request.head.path ?? "")), Self.normalized(claims.htu) == url,
            abs(now.timeIntervalSince1970 - claims.iat) <= Self.window,
            claims.ath == Base64URL.encode(SHA256.hash(data: Data(token.utf8))),
            Self.thumbprint(of: jwk) == thumbprint
        else { throw AccessTokenError(.invalidDPoPProof) }
        switch accepted.record(claims.jti, key: thumbprint, at: now) {
        case .recorded: return
        case .replayed: throw AccessTokenError(.invalidDPoPProof)
        case .full: throw AccessTokenError(.replayCacheFull)
        }
    }

    /// Returns a URL without query and fragment, with the scheme's port and in lower case as far as case is ignored.
    private static func normalized(_ url: String) -> String? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            let host = parts.host?.lowercased(), parts.user == nil
        else { return nil }
        let port = parts.port ?? (scheme == "https" ? 443 : 80)
        let path = parts.percentEncodedPath
        return "\(scheme)://\(host):\(port)\(path.isEmpty ? "/" : path)"
    }

    /// Returns the thumbprint of a P-256 key: [RFC 7638, 3](https://www.rfc-editor.org/rfc/rfc7638#section-3).
    private static func thumbprint(of key: JWK) -> String? {
        guard let x = key.x, let y = key.y else { return nil }
        let members = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        return Base64URL.encode(SHA256.hash(data: Data(members.utf8)))
    }
}
