import HTTPTypes

/// A body that says how much of it has been read.
struct CountedBody: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let body: ResponseBody
    let expectedTotal: Int?
    let report: @Sendable (TransferProgress) -> Void

    func makeAsyncIterator() -> Iterator {
        Iterator(chunks: body.makeAsyncIterator(), expectedTotal: expectedTotal, report: report)
    }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: ResponseBody.AsyncIterator
        let expectedTotal: Int?
        let report: @Sendable (TransferProgress) -> Void
        private var bytes = 0

        init(
            chunks: ResponseBody.AsyncIterator,
            expectedTotal: Int?,
            report: @escaping @Sendable (TransferProgress) -> Void
        ) {
            self.chunks = chunks
            self.expectedTotal = expectedTotal
            self.report = report
        }

        mutating func next() async throws -> [UInt8]? {
            guard let chunk = try await chunks.next() else { return nil }
            bytes += chunk.count
            report(TransferProgress(bytes: bytes, expectedTotal: expectedTotal))
            return chunk
        }
    }

    /// What the server says; nothing where the body is encoded, because a transport may decode it.
    static func expectedTotal(_ fields: HTTPFields) -> Int? {
        guard fields[.contentEncoding] == nil else { return nil }
        return fields[.contentLength].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
