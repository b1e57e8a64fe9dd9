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
    /// - Throws: As ``chunks()``; `CancellationError`.
    func outgoing() async throws -> OutgoingBody {
        if isNone { return .none }
        if let unreportedBytes { return .bytes(unreportedBytes) }
        return .chunks(try await toSend())
    }
}
