import Dispatch

/// A file's bytes, read from its beginning, away from the threads that Swift's tasks share.
struct FileChunks: AsyncSequence, Sendable {
    /// Small enough for memory, large enough that the cost of a chunk does not show.
    static let chunkSize = 128 * 1_024

    private let file: OpenFile

    /// How long the file was when it was opened.
    ///
    /// No more than that is read: what grows meanwhile is sent as it was.
    var length: Int { file.length }

    /// Opens a file.
    ///
    /// - Throws: ``FileFault``.
    init(path: String) async throws {
        file = try await Self.awayFromTasks { try OpenFile(path: path) }
    }

    func makeAsyncIterator() -> Iterator { Iterator(file: file) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let file: OpenFile
        private var position = 0

        fileprivate init(file: OpenFile) { self.file = file }

        mutating func next() async throws -> [UInt8]? {
            let start = position
            let wanted = Swift.min(FileChunks.chunkSize, file.length - start)
            guard wanted > 0 else { return nil }
            let chunk = try await FileChunks.awayFromTasks { [file] in try file.bytes(at: start, count: wanted) }
            position += chunk.count
            // A file that became shorter ends here, and whoever counts says so.
            return chunk.isEmpty ? nil : chunk
        }
    }

    private static let queue = DispatchQueue(label: "sallyport.file", attributes: .concurrent)

    private static func awayFromTasks<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
