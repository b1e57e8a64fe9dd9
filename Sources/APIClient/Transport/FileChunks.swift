// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A file's bytes, read from its beginning, away from the threads that Swift's tasks share.
package struct FileChunks: AsyncSequence, Sendable {
    /// The size of a chunk in bytes: small enough for memory, large enough that the cost of a chunk does not show.
    static let chunkSize = 128 * 1_024

    private let file: OpenFile

    /// The length of the file in bytes when it was opened.
    ///
    /// No more than that is read, even if the file grows.
    package var length: Int { file.length }

    /// Opens a file.
    ///
    /// - Throws: ``FileError``.
    package init(path: String) async throws {
        file = try await Self.awayFromTasks { try OpenFile(path: path) }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(file: file) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let file: OpenFile
        private var position = 0

        fileprivate init(file: OpenFile) { self.file = file }

        package mutating func next() async throws -> [UInt8]? {
            let start = position
            let wanted = Swift.min(FileChunks.chunkSize, file.length - start)
            guard wanted > 0 else { return nil }
            let chunk = try await FileChunks.awayFromTasks { [file] in try file.bytes(at: start, count: wanted) }
            position += chunk.count
            // A file that became shorter ends here, and `MeasuredChunks` throws.
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
