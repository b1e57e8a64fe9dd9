// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// The consequence of a 401 or 403 for the access token that was sent.
enum ChallengeVerdict: Equatable {
    /// The response says nothing about the token.
    case none
    /// Another token may be accepted.
    case tokenRejected
    /// The token is valid but allows too little: another token of the same grant would not help.
    ///
    /// [RFC 6750, 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1).
    case insufficientScope(Scope)
    /// The token is valid but the user must authenticate again: another token of the same sign-in would not help.
    ///
    /// [RFC 9470, 3](https://www.rfc-editor.org/rfc/rfc9470#section-3).
    case stepUpRequired(StepUpChallenge)
    /// The proof of possession lacks the server's nonce; the token is valid.
    ///
    /// [RFC 9449, 9](https://www.rfc-editor.org/rfc/rfc9449#section-9).
    case nonceRequired

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - head: The response. Untrusted.
    ///   - refreshesWithoutBearerChallenge: Whether a 401 whose challenges name neither `Bearer` nor `DPoP` asks for
    ///     another token.
    init(_ head: HTTPResponse, refreshesWithoutBearerChallenge: Bool) {
        // A 407 is the proxy's, and is never about the token.
        guard head.status == .unauthorized || head.status == .forbidden else {
            self = .none
            return
        }
        let all = ChallengeParser.challenges(in: head.headerFields[values: .wwwAuthenticate])
        let ours = all.filter(\.isAboutAccessTokens)
        if head.status == .unauthorized, ours.contains(where: { $0.error == "use_dpop_nonce" }) {
            self = .nonceRequired
        } else if let demand = Self.unmetDemand(ours) {
            self = demand
        } else if head.status == .unauthorized, !ours.isEmpty || all.isEmpty || refreshesWithoutBearerChallenge {
            self = .tokenRejected
        } else {
            self = .none
        }
    }

    /// Returns the demand that no other token of the same sign-in meets, unless a challenge says that the token is
    /// invalid.
    private static func unmetDemand(_ challenges: [AuthenticationChallenge]) -> ChallengeVerdict? {
        guard !challenges.contains(where: { $0.error == "invalid_token" }) else { return nil }
        for challenge in challenges {
            switch challenge.error {
            case "insufficient_user_authentication": return .stepUpRequired(StepUpChallenge(challenge))
            case "insufficient_scope": return .insufficientScope(Scope(challenge.parameters["scope"] ?? ""))
            default: continue
            }
        }
        return nil
    }
}
