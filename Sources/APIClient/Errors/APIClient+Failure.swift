extension APIClient {
    /// The error that a final answer is.
    func failure(_ response: TransportResponse, _ ending: Ending, attempts: [Attempt]) -> APIError {
        FailureAnswer.error(for: response, ending, attempts: attempts, now: tools.now())
    }
}
