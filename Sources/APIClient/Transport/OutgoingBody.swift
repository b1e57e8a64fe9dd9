/// What one sending of a request carries.
enum OutgoingBody: Sendable {
    case none
    /// In memory, and nobody wants to know how far it is.
    case bytes([UInt8])
    /// Taken chunk by chunk.
    case chunks(BodyToSend)
}

extension RequestBody {
    /// What one sending carries.
    ///
    /// A body that does not open in time, on a file system that hangs for one, is given up.
    ///
    /// - Parameter deadline: The end of the time that the sending has.
    /// - Returns: What one sending carries.
    /// - Throws: As ``chunks()``; ``TransportError`` (`timedOut`); `CancellationError` at once.
    func outgoing(until deadline: Deadline) async throws -> OutgoingBody {
        if isNone { return .none }
        if let unreportedBytes { return .bytes(unreportedBytes) }
        let late = TransportError(.timedOut, mayHaveReachedServer: false)
        return .chunks(try await deadline.limit(throwing: late) { try await toSend() })
    }
}
