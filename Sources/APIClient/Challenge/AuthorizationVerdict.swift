// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import HTTPTypes

/// The consequence of a response for the credential that its request carried.
public enum AuthorizationVerdict: Sendable, Hashable {
    /// The response is the call's result: another credential would not change it.
    case final
    /// The server rejected the token: authorize the request again, which obtains another token, and send it once more.
    case reauthenticate
    /// The server wants its nonce in the proof of possession: authorize the request again, and send it once more.
    ///
    /// [RFC 9449, 9](https://www.rfc-editor.org/rfc/rfc9449#section-9).
    case renewProof
    /// The server wants a nonce in the proof of possession and gave no usable one: the response is final.
    case nonceUnavailable
    /// The token is valid but its scope allows too little: the response is final.
    ///
    /// The scope that the server requires is untrusted; empty if the server did not name it.
    /// [RFC 6750, 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1).
    case insufficientScope(Scope)
    /// The token is valid but the user must authenticate again: the response is final.
    ///
    /// [RFC 9470, 3](https://www.rfc-editor.org/rfc/rfc9470#section-3).
    case stepUpRequired(StepUpChallenge)

    /// Whether the request must be authorized again and sent once more.
    ///
    /// Only if its body can be sent again.
    public var sendsAgain: Bool { self == .reauthenticate || self == .renewProof }

    /// Reads what a response asks for, which an earlier attempt may have tried already.
    ///
    /// - Parameters:
    ///   - head: The response. Untrusted.
    ///   - refreshesWithoutBearerChallenge: Whether a 401 whose challenges name neither `Bearer` nor `DPoP` asks for
    ///     another token.
    init(_ head: HTTPResponse, refreshesWithoutBearerChallenge: Bool) {
        self = .final
        // A 407 is the proxy's, and is never about the token.
        guard head.status == .unauthorized || head.status == .forbidden else { return }
        let all = AuthenticationChallenge.challenges(in: head.headerFields[values: .wwwAuthenticate])
        let ours = all.filter(\.isAboutAccessTokens)
        if head.status == .unauthorized, ours.contains(where: { $0.error == "use_dpop_nonce" }) {
            self = .renewProof
        } else if let demand = Self.unmetDemand(ours) {
            self = demand
        } else if head.status == .unauthorized, !ours.isEmpty || all.isEmpty || refreshesWithoutBearerChallenge {
            self = .reauthenticate
        }
    }

    /// Returns the demand that no other token of the same sign-in meets, unless a challenge says that the token is
    /// invalid.
    private static func unmetDemand(_ challenges: [AuthenticationChallenge]) -> AuthorizationVerdict? {
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
