// SPDX-License-Identifier: Apache-2.0

/// A body's chunks, counted against the declared length and for progress reports.
struct MeasuredChunks: AsyncSequence, Sendable {
    let chunks: BodyChunks
    let length: Int?
    let report: RequestBody.ProgressReport?
    let sendGuard: (@Sendable () -> Bool)?

    func makeAsyncIterator() -> Iterator {
        Iterator(chunks: chunks.makeAsyncIterator(), length: length, report: report, sendGuard: sendGuard)
    }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: BodyChunks.AsyncIterator
        let length: Int?
        let report: RequestBody.ProgressReport?
        let sendGuard: (@Sendable () -> Bool)?
        var handedOver = 0

        mutating func next() async throws -> [UInt8]? {
            // The client asks for more, so it has taken the chunks before.
            if handedOver > 0 { report?(handedOver, length) } else { try OutgoingChunks.checkSendGuard(sendGuard) }
            let chunk = try await chunks.next()
            handedOver += chunk?.count ?? 0
            if let length, handedOver > length || (chunk == nil && handedOver < length) {
                throw BodyLengthError(promised: length)
            }
            return chunk
        }
    }
}

/// The error of a body that is longer or shorter than declared.
struct BodyLengthError: Error, CustomStringConvertible {
    let promised: Int

    var description: String { "the body's length is not the declared \(promised) bytes" }
}
