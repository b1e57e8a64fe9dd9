extension APIError {
    /// Whether the same call may succeed later without anybody doing anything.
    ///
    /// Says nothing of whether it may be made twice: see ``mayHaveReachedServer``.
    public var retryHelps: Bool {
        switch code {
        case .rateLimited, .serverFailed, .timedOut: true
        case .refused: status == 408 || status == 425
        // A certificate that is not trusted stays so, and so does what a proxy does not let through.
        case .unreachable:
            ![.insecureConnection, .proxyRefused].contains((underlying as? TransportError)?.code)
        default: false
        }
    }

    /// Whether the server may have got the request, in whole or in part, by any of its sendings.
    ///
    /// False only where it surely has not: such a call is safe to make again, whatever it does.
    public var mayHaveReachedServer: Bool {
        if status != nil || attempts.contains(where: \.mayHaveReachedServer) { return true }
        if let fault = underlying as? TransportError { return fault.mayHaveReachedServer }
        return ![.invalidEndpoint, .originNotAllowed, .timedOut].contains(code)
    }
}

extension Attempt {
    /// Whether the server may have got it.
    fileprivate var mayHaveReachedServer: Bool {
        // A fault of a name or a port is one from before there was a connection.
        fault.map { ![.connectionRefused, .hostNotFound].contains($0) } ?? true
    }
}
