// SPDX-License-Identifier: Apache-2.0

package import AuthCore
package import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A factory of proofs of possession, which remembers the nonce of each server.
///
/// [RFC 9449, 8](https://www.rfc-editor.org/rfc/rfc9449#section-8) and
/// [9](https://www.rfc-editor.org/rfc/rfc9449#section-9): authorization server and resource server each have their own.
package final class DPoPProofFactory: Sendable {
    private struct Known {
        var nonces: [String: String] = [:]
        var offset = ClockOffset.zero
    }

    /// The limit of remembered nonces: more servers than any app talks to.
    private static let maximumServers = 64

    private let known = Mutex(Known())
    private let now: @Sendable () -> Date

    /// Creates a factory without a nonce, with a wall clock.
    package init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// Returns the header field with a new proof, good for one request.
    ///
    /// - Parameters:
    ///   - path: The path of the request's URL, without query.
    ///   - token: The access token in the request; nil if there is no token.
    package func field(
        by key: DPoPKey,
        method: String,
        origin: String,
        path: String,
        token: AccessToken?
    ) throws -> HTTPField {
        let known = known.withLock { $0 }
        let proof = DPoPProof(
            method: method,
            url: origin + path,
            accessToken: token,
            nonce: known.nonces[origin],
            issuedAt: serverTime
        )
        return HTTPField(name: .dpop, value: try proof.signed(by: key))
    }

    /// Stores a server's nonce from a response's fields, which are untrusted.
    ///
    /// - Returns: The nonce; nil if the response has no valid nonce.
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

    /// The offset of the provider's clock from this device's, as far as it is known.
    package var offset: ClockOffset { known.withLock { $0.offset } }

    /// Sets the offset of the provider's clock: a server refuses a proof from the future or from too long ago.
    package func noteOffset(_ offset: ClockOffset) {
        known.withLock { $0.offset = offset }
    }
}

extension HTTPField.Name {
    /// The field of a proof; the fallback is never used, because the name is valid.
    package static let dpop = HTTPField.Name("DPoP") ?? .authorization
    /// The nonce that a server wants in the next proof.
    package static let dpopNonce = HTTPField.Name("DPoP-Nonce") ?? .authorization
}
