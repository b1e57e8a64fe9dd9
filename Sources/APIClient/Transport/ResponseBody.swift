// SPDX-License-Identifier: Apache-2.0

/// The body of a response that is read while it arrives.
///
/// Read it once, inside the closure that receives it.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A chunk of bytes from the server; may hold secrets.
    public typealias Element = [UInt8]

    private let chunks: BodyChunks

    /// Wraps the chunks that a transport receives.
    ///
    /// - Parameter chunks: The sequence. Its errors are ``TransportError`` and `CancellationError`.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
        self.chunks = BodyChunks(chunks)
    }

    /// Wraps a body that is in memory.
    ///
    /// - Parameter bytes: The body.
    public init(_ bytes: [UInt8]) {
        chunks = BodyChunks(bytes.isEmpty ? [] : [bytes])
    }

    /// Returns an iterator that begins with the first chunk.
    public func makeAsyncIterator() -> BodyChunks.AsyncIterator { chunks.makeAsyncIterator() }
}

extension ResponseBody {
    /// Reads the whole body, or its beginning.
    ///
    /// - Parameter limit: The number of bytes after which reading ends; the last chunk may exceed it.
    /// - Returns: The bytes.
    /// - Throws: Any error of the body.
    func collected(upTo limit: Int = .max) async throws -> [UInt8] {
        var all: [UInt8] = []
        for try await chunk in self {
            // A body in one piece is not copied.
            if all.isEmpty { all = chunk } else { all += chunk }
            if all.count >= limit { break }
        }
        return all
    }
}
