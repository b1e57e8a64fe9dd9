// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

extension DPoPProofFactory {
    /// The smallest change of the known clock offset after which a refused request is sent again with a new proof.
    private static let notableStep = Duration.seconds(5)

    /// The number of times that one request is sent: a nonce may be good for a few proofs only, so that the refusal of
    /// the second brings another.
    private static let attempts = 3

    /// Sends a request with a proof, and again while a refusal brings a new nonce or reveals a wrong clock.
    ///
    /// At most ``attempts`` times.
    func sending(
        to endpoint: EndpointURL,
        dpopKey key: DPoPKey?,
        token: AccessToken? = nil,
        method: String = "POST",
        _ send: (HTTPFields) async throws -> ProviderResponse
    ) async throws -> ProviderResponse {
        guard let key else {
            let response = try await send([:])
            if let learned = response.learnedOffset { noteOffset(learned) }
            return response
        }
        var sent = try await sendOnce(endpoint, key, token, method, send)
        for _ in 1..<Self.attempts where sent.mayHelp {
            sent = try await sendOnce(endpoint, key, token, method, send)
        }
        return sent.response
    }

    private struct Sent {
        let response: ProviderResponse
        let hasOtherNonce: Bool
        let hasOtherTime: Bool

        /// Whether the provider may accept another proof.
        ///
        /// Compared with the nonce and the offset of this proof: other requests may have learned others meanwhile.
        var mayHelp: Bool { hasOtherNonce && response.wantsNonce || hasOtherTime && response.refusesProof }
    }

    private func sendOnce(
        _ endpoint: EndpointURL,
        _ key: DPoPKey,
        _ token: AccessToken?,
        _ method: String,
        _ send: (HTTPFields) async throws -> ProviderResponse
    ) async throws -> Sent {
        let origin = endpoint.server.origin
        let (carried, offset) = (nonce(for: origin), offset)
        let proof = try field(by: key, method: method, origin: origin, path: endpoint.path, token: token)
        let response = try await send([proof.name: proof.value])
        if let learned = response.learnedOffset { noteOffset(learned) }
        let given = noteNonce(in: response.fields, from: origin)
        let step = (response.learnedOffset?.duration ?? offset.duration) - offset.duration
        return Sent(
            response: response,
            hasOtherNonce: given != nil && given != carried,
            hasOtherTime: max(step, .zero - step) >= Self.notableStep
        )
    }
}

extension ProviderResponse {
    /// Whether the server demands a nonce.
    ///
    /// RFC 9449, 8: `use_dpop_nonce` in the body; 9: in the challenge.
    fileprivate var wantsNonce: Bool {
        if status == 400 || status == 401, OAuthErrorResponse(self)?.code == .useDPoPNonce { return true }
        return status == 401 && fields[values: .wwwAuthenticate].contains { $0.contains("use_dpop_nonce") }
    }

    /// Whether the server refuses the proof.
    ///
    /// RFC 9449, 5 and 7.1: `invalid_dpop_proof`, in the body or in the challenge.
    fileprivate var refusesProof: Bool {
        if status == 400 || status == 401, OAuthErrorResponse(self)?.code == .invalidDPoPProof { return true }
        return status == 401 && fields[values: .wwwAuthenticate].contains { $0.contains("invalid_dpop_proof") }
    }
}
