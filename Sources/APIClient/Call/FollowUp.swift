// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The step after a response or an error.
enum FollowUp: Sendable {
    /// The response is final.
    case finish(FinalOutcome)
    /// The request is sent again with another token or proof of possession.
    case authorizeAgain(AuthorizationVerdict)
    /// The redirect is followed.
    case redirect(OutgoingRequest)
    /// The request is sent again after a pause.
    case retry(after: Duration)
}

/// The facts about a final response beyond its status.
struct FinalOutcome: Sendable {
    /// The error's code, if it differs from the status's.
    var code: APIError.Code?
    /// The scope that the server requires.
    var scope: Scope?
    /// The authentication that the server requires.
    var stepUp: StepUpChallenge?
    /// The secrets that were sent, which the error must not repeat.
    var secrets: [String] = []
}

/// A final response, read in whole or in part.
struct Received: Sendable {
    let response: TransportResponse
    let outcome: FinalOutcome
}

/// The result of one attempt.
enum AttemptResult<Value: Sendable>: Sendable {
    case ended(Value)
    case again(FollowUp, status: Int)
}
