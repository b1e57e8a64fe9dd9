import HTTPTypes

/// What holds for one call: the endpoint's word, or else the client's.
struct CallRules: Sendable {
    /// Whether a token is asked for and sent.
    let requiresToken: Bool
    /// Whether what a refusal says of an access token is heeded: not where the call is none that one is for.
    let readsChallenges: Bool
    let retries: RetryPolicy
    let redirects: RedirectPolicy
    let refreshesWithoutBearerChallenge: Bool
    let credentialFields: Set<HTTPField.Name>
    /// The secrets in the body, which no error may repeat.
    let secrets: [String]
}
