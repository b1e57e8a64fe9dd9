/// The body of an answer that is read while it comes.
///
/// To be read once, inside the call that was given it.
public struct ResponseBody: AsyncSequence, Sendable {
    /// Some bytes of the server's; may hold secrets.
    public typealias Element = [UInt8]

    private let chunks: RequestBodyChunks

    /// Wraps the chunks that a transport receives.
    ///
    /// - Parameter chunks: The sequence. Its errors are ``TransportError`` and `CancellationError`.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
        self.chunks = RequestBodyChunks(chunks)
    }

    /// Wraps a body that is there already.
    ///
    /// - Parameter bytes: The body.
    public init(_ bytes: [UInt8]) {
        chunks = RequestBodyChunks(bytes.isEmpty ? [] : [bytes])
    }

    /// Begins with the first chunk.
    public func makeAsyncIterator() -> RequestBodyChunks.AsyncIterator { chunks.makeAsyncIterator() }
}
