/// A request's body as it is at one sending.
struct BodyToSend: Sendable {
    /// In bytes, where it is known.
    let length: Int?
    /// Whether it may still be sent, asked before the first chunk is handed to a connection; nil where it always may.
    let mayLeave: (@Sendable () -> Bool)?
    /// Its chunks, counted.
    let chunks: RequestBodyChunks

    /// Hands the chunks to a client, until the client has had enough of them.
    ///
    /// - Parameters:
    ///   - handOff: Where the client takes them.
    ///   - answer: Told where the body can't be produced.
    func produce(into handOff: HandOff<[UInt8]>, answer: IncomingAnswer) async {
        do {
            for try await chunk in chunks where !chunk.isEmpty {
                // Throws where the client has had enough, which is no fault of the body's.
                guard (try? await handOff.send(chunk)) != nil else { return }
            }
            handOff.finish()
        } catch {
            let fault = Self.fault(error, mayHaveReachedServer: true)
            answer.abandon(fault)
            handOff.finish(throwing: fault, dropping: true)
        }
    }

    /// Fails where it may not be sent any more.
    ///
    /// - Throws: ``TransportError`` `bodyFailed`.
    static func checkDeparture(_ mayLeave: (@Sendable () -> Bool)?) throws {
        guard mayLeave?() ?? true else { throw TransportError(.bodyFailed, mayHaveReachedServer: false) }
    }

    /// What says that a body could not be produced.
    static func fault(_ error: any Error, mayHaveReachedServer: Bool) -> any Error {
        if let fault = error as? TransportError, fault.code == .bodyAlreadySent || fault.code == .bodyFailed {
            return fault
        }
        if error is CancellationError, Task.isCancelled { return error }
        // Also what another transport says, where the body is another request's answer: it is not said of this request.
        return TransportError(.bodyFailed, mayHaveReachedServer: mayHaveReachedServer, underlying: error)
    }
}
