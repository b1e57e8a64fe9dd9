extension APIClient {
    /// The error that a final answer is.
    func failure<Value>(_ response: TransportResponse, _ record: CallRecord<Value>) -> APIError {
        FailureAnswer.error(for: response, record.ending, attempts: record.attempts, now: tools.now())
    }
}
