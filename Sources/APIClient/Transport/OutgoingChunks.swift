// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The chunks of a request's body in one attempt.
struct OutgoingChunks: Sendable {
    /// The length in bytes; nil if it is not known.
    let length: Int?
    /// The check whether the body may still be sent, run before a connection gets the first chunk; nil if it always
    /// may.
    let sendGuard: (@Sendable () -> Bool)?
    /// The chunks, checked against the length.
    let chunks: BodyChunks

    /// Hands the chunks to a client, until the client wants no more.
    ///
    /// - Parameters:
    ///   - channel: The channel that the client reads.
    ///   - incoming: The response, which fails if the body can't be produced.
    func produce(into channel: AsyncChannel<[UInt8]>, incoming: IncomingResponse) async {
        do {
            for try await chunk in chunks where !chunk.isEmpty {
                // Throws if the client wants no more, which is not an error of the body.
                guard (try? await channel.send(chunk)) != nil else { return }
            }
            channel.finish()
        } catch {
            let fault = Self.fault(error, mayHaveReachedServer: true)
            incoming.abandon(fault)
            channel.finish(throwing: fault, dropping: true)
        }
    }

    /// Throws if the body may not be sent any more.
    ///
    /// - Throws: ``TransportError`` `bodyFailed`.
    static func checkSendGuard(_ sendGuard: (@Sendable () -> Bool)?) throws {
        guard sendGuard?() ?? true else { throw TransportError(.bodyFailed, mayHaveReachedServer: false) }
    }

    /// Returns the error for a body that could not be produced.
    static func fault(_ error: any Error, mayHaveReachedServer: Bool) -> any Error {
        if let fault = error as? TransportError, fault.code == .bodyAlreadySent || fault.code == .bodyFailed {
            return fault
        }
        if error is CancellationError, Task.isCancelled { return error }
        // If the body is another request's response, its transport's error says nothing about this request.
        return TransportError(.bodyFailed, mayHaveReachedServer: mayHaveReachedServer, underlying: error)
    }
}

/// The body of one attempt.
enum OutgoingBody: Sendable {
    case none
    /// The body is in memory and is sent in one piece.
    case bytes([UInt8])
    /// The body is sent chunk by chunk.
    case chunks(OutgoingChunks)
}

extension RequestBody {
    /// Returns the body of one attempt.
    ///
    /// A body that does not open in time, such as a file on a file system that hangs, is given up.
    ///
    /// - Parameter deadline: The end of the attempt's time.
    /// - Returns: The body.
    /// - Throws: Any error of ``chunks()``; ``TransportError`` (`timedOut`); `CancellationError` at once.
    func outgoing(until deadline: Deadline) async throws -> OutgoingBody {
        if isNone { return .none }
        if let unreportedBytes { return .bytes(unreportedBytes) }
        let late = TransportError(.timedOut, mayHaveReachedServer: false)
        return .chunks(try await deadline.limit(throwing: late) { try await outgoingChunks() })
    }
}
