import APIClient
import AuthCore
import HTTPTypes

extension DPoPProofs {
    /// The smallest change of the known clock offset after which a refused request is sent again with a new proof.
    private static let notableStep = Duration.seconds(5)

    /// Sends a request with a proof, and once more if the refusal brings a new nonce or reveals a wrong clock.
    func sending(
        to endpoint: EndpointURL,
        boundTo key: DPoPKey?,
        token: AccessToken? = nil,
        method: String = "POST",
        _ send: (HTTPFields) async throws -> ProviderAnswer
    ) async throws -> ProviderAnswer {
        guard let key else { return try await send([:]) }
        let sent = try await sendOnce(endpoint, key, token, method, send)
        // Compared with the nonce and the offset of this proof: other requests may have learned others meanwhile.
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
        let (carried, offset) = (nonce(for: origin), offset)
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
    /// Whether the server demands a nonce.
    ///
    /// RFC 9449, 8: `use_dpop_nonce` in the body; 9: in the challenge.
    fileprivate var wantsNonce: Bool {
        if status == 400 || status == 401, OAuthRefusal(self)?.code == .useDPoPNonce { return true }
        return status == 401 && fields[values: .wwwAuthenticate].contains { $0.contains("use_dpop_nonce") }
    }

    /// Whether the server refuses the proof.
    ///
    /// RFC 9449, 5 and 7.1: `invalid_dpop_proof`, in the body or in the challenge.
    fileprivate var refusesProof: Bool {
        if status == 400 || status == 401, OAuthRefusal(self)?.code == .invalidDPoPProof { return true }
        return status == 401 && fields[values: .wwwAuthenticate].contains { $0.contains("invalid_dpop_proof") }
    }
}
