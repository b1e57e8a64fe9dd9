import APIClient

extension TokenEndpointError {
    /// What an answer means that is no success, whatever its content type is.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - secrets: What was sent, which no error may repeat.
    ///   - settings: The clock that a `Retry-After` with a date is read by.
    init(_ answer: ProviderAnswer, hiding secrets: [String] = [], _ settings: ProviderSettings) {
        // What a server says that fails is for its own people: one was seen to repeat tokens in it.
        let refusal = answer.status < 500 ? OAuthRefusal(answer, hiding: secrets) : nil
        let code: Code =
            switch answer.status {
            case 300..<400: .redirected
            case 408, 500...: .serverFailed
            case 429: .rateLimited
            default: .refused
            }
        self.init(
            code,
            refusal,
            status: answer.status,
            retryAfter: RetryAfter.duration(in: answer.fields, now: settings.now())
        )
    }
}
