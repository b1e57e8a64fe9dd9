import APIClient
import AuthCore
import HTTPTypes

extension DPoPProofFactory {
    /// The smallest change of the known clock offset after which a refused request is sent again with a new proof.
    private static let notableStep = Duration.seconds(5)

    /// Sends a request with a proof, and once more if the refusal brings a new nonce or reveals a wrong clock.
    func sending(
        to endpoint: EndpointURL,
        dpopKey key: DPoPKey?,
        token: AccessToken? = nil,
        method: String = "POST",
        _ send: (HTTPFields) async throws -> ProviderResponse
    ) async throws -> ProviderResponse {
        guard let key else { return try await send([:]) }
        let sent = try await sendOnce(endpoint, key, token, method, send)
        // Compared with the nonce and the offset of this proof: other requests may have learned others meanwhile.
        let isOther = sent.hasOtherNonce && sent.response.wantsNonce || sent.hasOtherTime && sent.response.refusesProof
        guard isOther else { return sent.response }
        return try await sendOnce(endpoint, key, token, method, send).response
    }

    private struct Sent {
        let response: ProviderResponse
        let hasOtherNonce: Bool
        let hasOtherTime: Bool
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
