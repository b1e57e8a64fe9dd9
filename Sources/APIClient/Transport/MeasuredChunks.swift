/// A body's chunks, counted: against the length that was promised, and for whoever wants to know how far it is.
struct MeasuredChunks: AsyncSequence, Sendable {
    let chunks: RequestBodyChunks
    let length: Int?
    let report: RequestBody.ProgressReport?
    let mayLeave: (@Sendable () -> Bool)?

    func makeAsyncIterator() -> Iterator {
        Iterator(chunks: chunks.makeAsyncIterator(), length: length, report: report, mayLeave: mayLeave)
    }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: RequestBodyChunks.AsyncIterator
        let length: Int?
        let report: RequestBody.ProgressReport?
        let mayLeave: (@Sendable () -> Bool)?
        var handedOver = 0

        mutating func next() async throws -> [UInt8]? {
            // Asked for more, so what was handed over before has been taken.
            if handedOver > 0 { report?(handedOver, length) } else { try BodyToSend.checkDeparture(mayLeave) }
            let chunk = try await chunks.next()
            handedOver += chunk?.count ?? 0
            if let length, handedOver > length || (chunk == nil && handedOver < length) {
                throw BodyLengthFault(promised: length)
            }
            return chunk
        }
    }
}

/// A body that is longer or shorter than it was said to be.
struct BodyLengthFault: Error, CustomStringConvertible {
    let promised: Int

    var description: String { "the body is not of the \(promised) bytes that were promised" }
}
