import AuthCore

/// The step after a response or an error.
enum Step: Sendable {
    /// The response is final.
    case finish(Ending)
    /// The request is sent again with another token.
    case otherToken(insteadOf: AccessToken)
    /// The request is sent again with the server's nonce in its proof of possession.
    case otherProof
    /// The redirect is followed.
    case redirect(Hop)
    /// The request is sent again after a pause.
    case retry(after: Duration)
}

/// The facts about a final response beyond its status.
struct Ending: Sendable {
    /// The error's code, if it differs from the status's.
    var code: APIError.Code?
    /// The scope that the server requires.
    var scope: Scope?
    /// The secrets that were sent, which the error must not repeat.
    var secrets: [String] = []
}

/// A final response, read in whole or in part.
struct Received: Sendable {
    let response: TransportResponse
    let ending: Ending
}

/// The result of one attempt.
enum Exchanged<Value: Sendable>: Sendable {
    case ended(Value)
    case again(Step, status: Int)
}
