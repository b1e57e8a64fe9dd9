// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

extension DPoPProofFactory {
    /// The smallest change of the known clock offset after which a refused request is sent again.
    private static let notableStep = Duration.seconds(5)

    /// The number of times that one request is sent: a nonce may be good for a few proofs only, so that the refusal of
    /// the second brings another.
    private static let attempts = 3

    /// Sends a request, and again while a refusal brings a new nonce or reveals a wrong clock.
    ///
    /// Sends it at most ``attempts`` times.
    ///
    /// - Parameters:
    ///   - key: The key of the proof that each request carries; nil for none.
    ///   - token: The access token that the request carries; nil for none.
    ///   - hasAssertion: Whether the client authenticates with an assertion, which `send` signs anew each time.
    ///   - send: Sends the request with these fields; empty without a key.
    /// - Throws: The errors of `send`; the key's error.
    func sending(
        to endpoint: EndpointURL,
        dpopKey key: DPoPKey?,
        token: AccessToken? = nil,
        method: String = "POST",
        hasAssertion: Bool = false,
        _ send: (HTTPFields) async throws -> ProviderResponse
    ) async throws -> ProviderResponse {
        var sent = try await sendOnce(endpoint, key, token, method, send)
        for _ in 1..<Self.attempts where sent.isWorthRepeating(hasProof: key != nil, hasAssertion: hasAssertion) {
            sent = try await sendOnce(endpoint, key, token, method, send)
        }
        return sent.response
    }

    private struct Sent {
        let response: ProviderResponse
        let hasOtherNonce: Bool
        let hasOtherTime: Bool

        /// Whether the provider may accept the request with another proof or assertion.
        ///
        /// Compared with the nonce and the offset of this request: other requests may have learned others meanwhile.
        func isWorthRepeating(hasProof: Bool, hasAssertion: Bool) -> Bool {
            hasOtherNonce && response.wantsNonce
                || hasOtherTime && (hasProof && response.refusesProof || hasAssertion && response.refusesClient)
        }
    }

    private func sendOnce(
        _ endpoint: EndpointURL,
        _ key: DPoPKey?,
        _ token: AccessToken?,
        _ method: String,
        _ send: (HTTPFields) async throws -> ProviderResponse
    ) async throws -> Sent {
        let origin = endpoint.server.origin
        let (carried, offset) = (nonce(for: origin), offset)
        let proof = try key.map { key in
            try field(by: key, method: method, origin: origin, path: endpoint.path, token: token)
        }
        let response = try await send(proof.map { [$0.name: $0.value] } ?? [:])
        if let learned = response.learnedOffset { noteOffset(learned) }
        let given = key == nil ? nil : noteNonce(in: response.fields, from: origin)
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
        hasError(.useDPoPNonce)
            || status == 401 && fields[values: .wwwAuthenticate].contains { $0.contains("use_dpop_nonce") }
    }

    /// Whether the server refuses the client, as it does with an assertion that has expired by its clock.
    ///
    /// RFC 7523, 3.2: `invalid_client`.
    fileprivate var refusesClient: Bool { hasError(.invalidClient) }

    /// Whether the server refuses the proof.
    ///
    /// RFC 9449, 5 and 7.1: `invalid_dpop_proof`, in the body or in the challenge.
    fileprivate var refusesProof: Bool {
        hasError(.invalidDPoPProof)
            || status == 401 && fields[values: .wwwAuthenticate].contains { $0.contains("invalid_dpop_proof") }
    }

    private func hasError(_ code: OAuthErrorCode) -> Bool {
        (status == 400 || status == 401) && OAuthErrorResponse(self)?.code == code
    }
}
