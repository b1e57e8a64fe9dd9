import HTTPTypes

/// A call before its first sending: what interceptors see, and what holds for it.
struct Opening: Sendable {
    let address: AbsoluteURL
    /// Without the client's credentials.
    let head: HTTPRequest
    let body: RequestBody
    let requiresAuthentication: Bool
    let retries: RetryPolicy
    let redirects: RedirectPolicy
    let operationID: String?
    /// The secrets in the body.
    let secrets: [String]
    let deadline: Deadline
}
