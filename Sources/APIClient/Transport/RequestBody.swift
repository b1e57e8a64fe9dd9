// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Synchronization

/// The body of a request, which can be sent once or any number of times.
///
/// A request is sent again after a 401, a lost connection or a redirect only if its body can be sent again. Its
/// description shows its length.
public struct RequestBody: Sendable, Redacted {
    /// A function that receives the number of bytes handed over, and the total.
    ///
    /// The total is nil if it is not known.
    public typealias ProgressReport = @Sendable (_ sent: Int, _ total: Int?) -> Void

    /// A function that produces the chunks of one attempt.
    private typealias Source = @Sendable () async throws -> BodyChunks

    private enum Content: Sendable {
        case none
        case bytes([UInt8])
        case chunks(Source, length: Int?, isReplayable: Bool)
        case file(path: String)
    }

    private let content: Content
    /// The media type; nil if the body has no type.
    ///
    /// ``APIClient`` sends it as `Content-Type`, unless the endpoint's headers have that field. A transport does not
    /// read it. [RFC 9110, 8.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.3).
    public var contentType: String?
    private var report: ProgressReport?
    private var sendGuard: (@Sendable () -> Bool)?

    private init(content: Content) {
        self.content = content
    }

    /// No body.
    public static let none = RequestBody(content: .none)

    /// Creates a body that is in memory and can be sent any number of times.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The body.
    public static func bytes(_ bytes: [UInt8]) -> RequestBody { RequestBody(content: .bytes(bytes)) }

    /// Creates a body that is produced anew for each attempt, so that it can be sent any number of times.
    ///
    /// - Parameters:
    ///   - length: The length in bytes, the same each time; nil if it is not known.
    ///   - make: The function that produces the chunks, from the first one.
    /// - Returns: The body.
    public static func restartable<Chunks: AsyncSequence & Sendable>(
        length: Int? = nil,
        _ make: @escaping @Sendable () async throws -> Chunks
    ) -> RequestBody where Chunks.Element == [UInt8] {
        RequestBody(content: .chunks({ BodyChunks(try await make()) }, length: length, isReplayable: true))
    }

    /// Creates a body that can be sent once.
    ///
    /// The request is never sent again: a 401 is then ``APIError`` `bodyNotRepeatable`. A second call with the same
    /// body throws that too; its underlying error is ``TransportError`` `bodyAlreadySent`.
    ///
    /// - Parameters:
    ///   - length: The length in bytes; nil if it is not known.
    ///   - chunks: The chunks.
    /// - Returns: The body.
    public static func oneShot<Chunks: AsyncSequence & Sendable>(
        length: Int? = nil,
        _ chunks: Chunks
    ) -> RequestBody where Chunks.Element == [UInt8] {
        let once = Once()
        return RequestBody(
            content: .chunks(
                {
                    guard once.isFirst() else { throw TransportError(.bodyAlreadySent, mayHaveReachedServer: false) }
                    return BodyChunks(chunks)
                },
                length: length,
                isReplayable: false
            )
        )
    }

    /// Creates a body from a file, which is read anew for each attempt, a part at a time.
    ///
    /// Its length is the file's when an attempt begins: bytes added later are not sent. A file that can't be read, or
    /// becomes shorter, is ``TransportError`` `bodyFailed`.
    ///
    /// - Parameter path: The path of a regular file. Not checked before it is sent.
    /// - Returns: The body.
    public static func file(_ path: String) -> RequestBody { RequestBody(content: .file(path: path)) }

    /// Returns the same body with a progress report.
    ///
    /// The report counts the bytes that the transport took. The last of them may still be in transit when the count
    /// reaches the total. A second attempt counts from the beginning.
    ///
    /// - Parameter report: The function, called once a chunk, from the task that sends. It should return soon.
    /// - Returns: The body.
    public func reportingProgress(_ report: @escaping ProgressReport) -> RequestBody {
        var body = self
        let earlier = self.report
        body.report = { sent, total in
            earlier?(sent, total)
            report(sent, total)
        }
        return body
    }

    /// The bytes if the body is in memory; nil if there is no body, or it comes in chunks.
    ///
    /// May hold secrets.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = content { bytes } else { nil }
    }

    /// Whether there is no body.
    public var isNone: Bool {
        if case .none = content { true } else { false }
    }

    /// Whether the body can be sent a second time.
    public var isReplayable: Bool {
        if case .chunks(_, _, let isReplayable) = content { isReplayable } else { true }
    }

    /// The length in bytes; nil if it is not known before the body is sent, such as a file's.
    public var length: Int? {
        switch content {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .chunks(_, let length, _): length
        case .file: nil
        }
    }

    /// Returns the chunks of one attempt, for transports.
    ///
    /// They throw if they are more or fewer bytes than the declared length.
    ///
    /// - Returns: The chunks, from the first one.
    /// - Throws: ``TransportError`` (`bodyAlreadySent`; `bodyFailed`: the file can't be read, or producing the chunks
    ///   failed).
    public func chunks() async throws -> BodyChunks { try await outgoingChunks().chunks }

    /// Returns the same body with a check before it is sent.
    ///
    /// The check runs at the last moment: once there is a connection, if the transport does not need the body earlier.
    /// If it returns false, the attempt ends with ``TransportError`` `bodyFailed`, whose `mayHaveReachedServer` is
    /// false: the server has received the request's head at most.
    ///
    /// - Parameter sendGuard: The check whether the body may still be sent.
    /// - Returns: The body.
    public func guarded(by sendGuard: @escaping @Sendable () -> Bool) -> RequestBody {
        // The check runs before a body's first chunk: also for an empty body, but not without a body.
        var body = isNone ? RequestBody.bytes([]) : self
        body.sendGuard = sendGuard
        return body
    }

    /// The bytes if they can be sent in one piece, because the body has neither a progress report nor a check.
    var unreportedBytes: [UInt8]? { report == nil && sendGuard == nil ? bytes : nil }

    /// Returns the body of one attempt, with its length at this time.
    ///
    /// - Throws: Any error of ``chunks()``; `CancellationError`.
    func outgoingChunks() async throws -> OutgoingChunks {
        do {
            switch content {
            case .none:
                return OutgoingChunks(length: 0, sendGuard: nil, chunks: BodyChunks([]))
            case .bytes(let bytes):
                return measured(BodyChunks(Self.parts(of: bytes)), length: bytes.count)
            case .chunks(let source, let length, _):
                return measured(try await source(), length: length)
            case .file(let path):
                let file = try await FileChunks(path: path)
                return measured(BodyChunks(file), length: file.length)
            }
        } catch {
            throw OutgoingChunks.fault(error, mayHaveReachedServer: false)
        }
    }

    private func measured(_ chunks: BodyChunks, length: Int?) -> OutgoingChunks {
        let counted = MeasuredChunks(chunks: chunks, length: length, report: report, sendGuard: sendGuard)
        return OutgoingChunks(length: length, sendGuard: sendGuard, chunks: BodyChunks(counted))
    }

    /// Splits the bytes, so that there is progress to report.
    private static func parts(of bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: FileChunks.chunkSize).map { start in
            Array(bytes[start..<min(bytes.count, start + FileChunks.chunkSize)])
        }
    }

    /// The length.
    public var description: String {
        if isNone { return "no body" }
        return length.map { "\($0) bytes" } ?? "a body of unknown length"
    }
}

/// A flag that is true for its first reader only.
private final class Once: Sendable {
    private let isUsed = Mutex(false)

    func isFirst() -> Bool {
        isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }
}
