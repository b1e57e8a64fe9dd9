import AuthCore

/// What comes after an answer, or after a fault.
enum Step: Sendable {
    /// The answer is the call's.
    case finish(Ending)
    /// The same with another token.
    case otherToken(insteadOf: AccessToken)
    /// The same with the server's nonce in its proof of possession.
    case otherProof
    /// To where a redirect leads.
    case redirect(Hop)
    /// The same after a pause.
    case retry(after: Duration)
}

/// What is known of a final answer beyond its status.
struct Ending: Sendable {
    /// The error's code, where it is another than the status has.
    var code: APIError.Code?
    /// What the server wants the token to allow.
    var scope: Scope?
    /// The secrets that were sent, which the error must not repeat.
    var secrets: [String] = []
}

/// A final answer, read whole or in part.
struct Received: Sendable {
    let response: TransportResponse
    let ending: Ending
}

/// What one sending came to.
enum Exchanged<Value: Sendable>: Sendable {
    case ended(Value)
    case again(Step, status: Int)
}
