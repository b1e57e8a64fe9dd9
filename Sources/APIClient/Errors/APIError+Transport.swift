extension APIError {
    /// The error of a call that a transport could not carry out.
    ///
    /// What is the caller's own doing has a code of its own, so that no app takes a file that is gone for a dead network.
    init(_ fault: TransportError, attempts: [Attempt]) {
        let code: Code =
            switch fault.code {
            case .invalidRequest: .invalidRequest
            case .bodyFailed: .bodyFailed
            case .bodyAlreadySent: .bodyNotRepeatable
            case .responseTooLarge: .unreadableAnswer
            default: .unreachable
            }
        self.init(code, underlying: fault, attempts: attempts)
    }
}
