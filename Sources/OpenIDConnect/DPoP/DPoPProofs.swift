import APIClient
package import AuthCore
package import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Makes proofs of possession, and remembers which nonce each server wants in them.
///
/// [RFC 9449, 8](https://www.rfc-editor.org/rfc/rfc9449#section-8) and
/// [9](https://www.rfc-editor.org/rfc/rfc9449#section-9): authorization server and resource server each have their own.
package final class DPoPProofs: Sendable {
    private struct Known {
        var nonces: [String: String] = [:]
        var offset = ClockOffset.zero
    }

    /// More servers than any app talks to.
    private static let maximumServers = 64

    private let known = Mutex(Known())
    private let now: @Sendable () -> Date

    /// Begins without a nonce.
    ///
    /// - Parameter now: The wall clock.
    package init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// The header field with a new proof.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - method: The request's method.
    ///   - origin: Scheme and authority of the request's address.
    ///   - path: Its path, without query.
    ///   - token: The access token that goes with it; nil for none.
    /// - Returns: The field. Good for one request.
    /// - Throws: What the key throws.
    package func field(
        by key: DPoPKey,
        method: String,
        origin: String,
        path: String,
        token: AccessToken?
    ) throws -> HTTPField {
        let known = known.withLock { $0 }
        let seconds = now().timeIntervalSince1970 + known.offset.duration.timeInterval
        let proof = DPoPProof(
            method: method,
            url: origin + path,
            accessToken: token,
            nonce: known.nonces[origin],
            issuedAt: Int64(seconds)
        )
        return HTTPField(name: .dpop, value: try proof.signed(by: key))
    }

    /// Takes a server's nonce out of an answer.
    ///
    /// - Parameters:
    ///   - fields: The answer's. From outside.
    ///   - origin: Whose answer it is.
    /// - Returns: The nonce; nil where it gives none.
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

    /// The nonce that a proof for an origin would carry now.
    ///
    /// - Parameter origin: The server.
    /// - Returns: The nonce; nil where the server has not given one.
    package func nonce(for origin: String) -> String? { known.withLock { $0.nonces[origin] } }

    /// How far the provider's clock is ahead: a proof of the future or of yesterday is refused.
    func noteOffset(_ offset: ClockOffset) {
        known.withLock { $0.offset = offset }
    }

    /// A proof that is refused is sent anew where the clocks differ by so much more than was known.
    private static let notableStep = Duration.seconds(5)

    /// Sends a request with a proof, and once more where the server wants a nonce in it that it gave with its refusal, or
    /// where its refusal told that this device's clock is wrong.
    func sending(
        to endpoint: EndpointURL,
        boundTo key: DPoPKey?,
        token: AccessToken? = nil,
        method: String = "POST",
        _ send: (HTTPFields) async throws -> ProviderAnswer
    ) async throws -> ProviderAnswer {
        guard let key else { return try await send([:]) }
        let sent = try await sendOnce(endpoint, key, token, method, send)
        // Another one than this very proof carried: what others learnt meanwhile does not count.
        let isOther = sent.hasOtherNonce && sent.answer.wantsNonce || sent.hasOtherTime && sent.answer.refusesProof
        guard isOther else { return sent.answer }
        return try await sendOnce(endpoint, key, token, method, send).answer
    }

    private struct Sent {
        let answer: ProviderAnswer
        let hasOtherNonce: Bool
        let hasOtherTime: Bool
    }

    private func sendOnce(
        _ endpoint: EndpointURL,
        _ key: DPoPKey,
        _ token: AccessToken?,
        _ method: String,
        _ send: (HTTPFields) async throws -> ProviderAnswer
    ) async throws -> Sent {
        let origin = endpoint.server.origin
        let (carried, offset) = known.withLock { ($0.nonces[origin], $0.offset) }
        let proof = try field(by: key, method: method, origin: origin, path: endpoint.path, token: token)
        let answer = try await send([proof.name: proof.value])
        if let learned = answer.learnedOffset { noteOffset(learned) }
        let given = noteNonce(in: answer.fields, from: origin)
        let step = (answer.learnedOffset?.duration ?? offset.duration) - offset.duration
        return Sent(
            answer: answer,
            hasOtherNonce: given != nil && given != carried,
            hasOtherTime: max(step, .zero - step) >= Self.notableStep
        )
    }
}

extension ProviderAnswer {
    /// RFC 9449, 8: `use_dpop_nonce` in the body; 9: in the challenge.
    fileprivate var wantsNonce: Bool {
        if status == 400 || status == 401, OAuthRefusal(self)?.code == .useDPoPNonce { return true }
        return status == 401 && fields[values: .wwwAuthenticate].contains { $0.contains("use_dpop_nonce") }
    }

    /// RFC 9449, 5 and 7.1: `invalid_dpop_proof`, in the body or in the challenge.
    fileprivate var refusesProof: Bool {
        if status == 400 || status == 401, OAuthRefusal(self)?.code == .invalidDPoPProof { return true }
        return status == 401 && fields[values: .wwwAuthenticate].contains { $0.contains("invalid_dpop_proof") }
    }
}

extension HTTPField.Name {
    /// Names of two plain words, which are names.
    package static let dpop = HTTPField.Name("DPoP") ?? .authorization
    /// The nonce that a server wants in the next proof.
    package static let dpopNonce = HTTPField.Name("DPoP-Nonce") ?? .authorization
}
