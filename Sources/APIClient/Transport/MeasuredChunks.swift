/// A body's chunks, counted against the declared length and for progress reports.
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
            // The client asks for more, so it has taken the chunks before.
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

/// The error of a body that is longer or shorter than declared.
struct BodyLengthFault: Error, CustomStringConvertible {
    let promised: Int

    var description: String { "the body's length is not the declared \(promised) bytes" }
}
