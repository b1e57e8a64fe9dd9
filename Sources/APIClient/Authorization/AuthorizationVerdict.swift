// SPDX-License-Identifier: Apache-2.0

public import AuthCore

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
}
