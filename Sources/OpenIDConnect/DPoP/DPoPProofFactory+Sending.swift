// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

extension DPoPProofFactory {
    /// The smallest change of the known clock offset after which a refused request is sent again.
    private static let notableStep = Duration.seconds(5)

    /// The number of times that one request is sent: the refusal of the second may bring another nonce.
    private static let attempts = 3

    /// Sends a request, and again while a refusal brings a new nonce or reveals a wrong clock.
    ///
    /// `send` gets the field of the proof, none without a key, and signs the client's assertion, if any, anew.
    func sending(
        to endpoint: EndpointURL,
        dpopKey key: DPoPKey?,
        token: AccessToken? = nil,
        method: String = "POST",
        hasAssertion: Bool = false,
        _ send: (HTTPFields) async throws -> ProviderResponse
    ) async throws -> ProviderResponse {
        let origin = endpoint.server.origin
        var attempt = 1
        while true {
            let (carried, offset) = (nonce(for: origin), offset)
            let proof = try key.map { key in
                try field(by: key, method: method, origin: origin, path: endpoint.path, token: token)
            }
            let response = try await send(proof.map { [$0.name: $0.value] } ?? [:])
            if let learned = response.learnedOffset { self.offset = learned }
            let given = key == nil ? nil : noteNonce(in: response.fields, from: origin)
            let step = (response.learnedOffset?.duration ?? offset.duration) - offset.duration
            // Compared with the nonce and the offset of this request: other requests may have learned others meanwhile.
            let hasOtherNonce = given != nil && given != carried
            let hasOtherTime = max(step, .zero - step) >= Self.notableStep
            let mayBeAccepted =
                hasOtherNonce && response.names(.useDPoPNonce)
                || hasOtherTime && key != nil && response.names(.invalidDPoPProof)
                || hasOtherTime && hasAssertion && response.hasError(.invalidClient)
            guard mayBeAccepted, attempt < Self.attempts else { return response }
            attempt += 1
        }
    }
}

extension ProviderResponse {
    /// Whether the server names an error of a proof, in the body (RFC 9449, 5 and 8) or in the challenge (7.1 and 9).
    fileprivate func names(_ code: OAuthErrorCode) -> Bool {
        hasError(code) || status == 401 && fields[values: .wwwAuthenticate].contains { $0.contains(code.rawValue) }
    }

    /// Whether the body has an error code: `invalid_client` also if, by the server's clock, an assertion has expired.
    fileprivate func hasError(_ code: OAuthErrorCode) -> Bool {
        (status == 400 || status == 401) && OAuthErrorResponse(self)?.code == code
    }
}
