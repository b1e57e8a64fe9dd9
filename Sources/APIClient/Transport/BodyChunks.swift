// SPDX-License-Identifier: Apache-2.0

/// The chunks of a body in one attempt.
public struct BodyChunks: AsyncSequence, Sendable {
    /// A chunk of bytes; may hold secrets.
    public typealias Element = [UInt8]

    private let makeIterator: @Sendable () -> AsyncIterator

    /// Wraps the chunks of any sequence.
    ///
    /// - Parameter chunks: The sequence.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
        makeIterator = {
            var iterator = chunks.makeAsyncIterator()
            return AsyncIterator { try await iterator.next(isolation: nil) }
        }
    }

    /// Wraps chunks that are in memory.
    ///
    /// - Parameter chunks: The chunks.
    public init(_ chunks: [[UInt8]]) {
        makeIterator = {
            var iterator = chunks.makeIterator()
            return AsyncIterator { iterator.next() }
        }
    }

    /// Returns an iterator that begins with the first chunk.
    public func makeAsyncIterator() -> AsyncIterator { makeIterator() }

    /// An iterator over the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let nextChunk: () async throws -> [UInt8]?

        fileprivate init(_ next: @escaping () async throws -> [UInt8]?) {
            nextChunk = next
        }

        /// Returns the next chunk, or nil at the end.
        public mutating func next() async throws -> [UInt8]? { try await nextChunk() }
    }
}
