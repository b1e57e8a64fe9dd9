import Synchronization

/// What a request carries, and how often it can be sent.
///
/// A request is sent again after a 401, a lost connection or a redirect only where its body can be. Printed or dumped it
/// shows how long it is.
public struct RequestBody: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Told how many bytes were handed over, of how many.
    ///
    /// The total is nil where it is not known.
    public typealias ProgressReport = @Sendable (_ sent: Int, _ total: Int?) -> Void

    /// Makes the chunks of one sending.
    private typealias Source = @Sendable () async throws -> RequestBodyChunks

    private enum Content: Sendable {
        case none
        case bytes([UInt8])
        case chunks(Source, length: Int?, canBeSentAgain: Bool)
        case file(path: String)
    }

    private let content: Content
    private var report: ProgressReport?
    private var mayLeave: (@Sendable () -> Bool)?

    private init(content: Content) {
        self.content = content
    }

    /// No body.
    public static let none = RequestBody(content: .none)

    /// A body that is in memory and can be sent any number of times.
    ///
    /// - Parameter bytes: The body.
    /// - Returns: The body.
    public static func bytes(_ bytes: [UInt8]) -> RequestBody { RequestBody(content: .bytes(bytes)) }

    /// A body that is made anew for each sending, so that it can be sent any number of times.
    ///
    /// - Parameters:
    ///   - length: In bytes, where it is known; the same each time.
    ///   - make: Makes the chunks, from the first one.
    /// - Returns: The body.
    public static func restartable<Chunks: AsyncSequence & Sendable>(
        length: Int? = nil,
        _ make: @escaping @Sendable () async throws -> Chunks
    ) -> RequestBody where Chunks.Element == [UInt8] {
        RequestBody(content: .chunks({ RequestBodyChunks(try await make()) }, length: length, canBeSentAgain: true))
    }

    /// A body that can be sent once.
    ///
    /// Such a request is never sent again: a 401 is then ``APIError`` `bodyNotRepeatable`. Asked for a second time, it is
    /// ``TransportError`` `bodyAlreadySent`.
    ///
    /// - Parameters:
    ///   - length: In bytes, where it is known.
    ///   - chunks: The body.
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
                    return RequestBodyChunks(chunks)
                },
                length: length,
                canBeSentAgain: false
            )
        )
    }

    /// The bytes of a file, read anew for each sending, a part at a time.
    ///
    /// Its length is what the file has when a sending begins: what is added to the file meanwhile is not sent. A file that
    /// can't be read, or becomes shorter, is ``TransportError`` `bodyFailed`.
    ///
    /// - Parameter path: Where the file is; a regular file. Not checked before it is sent.
    /// - Returns: The body.
    public static func file(_ path: String) -> RequestBody { RequestBody(content: .file(path: path)) }

    /// The same body, which says how much of it was sent.
    ///
    /// Counted is what the transport took; the last of it may still be on its way when the report says that it is all. A
    /// second sending counts from the beginning.
    ///
    /// - Parameter report: Called once a chunk, from the task that sends: it should return soon.
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

    /// The bytes, where the body is in memory; nil where there is no body, or it comes in chunks.
    ///
    /// May hold secrets.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = content { bytes } else { nil }
    }

    /// Whether there is none.
    public var isNone: Bool {
        if case .none = content { true } else { false }
    }

    /// Whether it can be sent a second time.
    public var canBeSentAgain: Bool {
        if case .chunks(_, _, let canBeSentAgain) = content { canBeSentAgain } else { true }
    }

    /// How long it is, in bytes; nil where that is not known before it is sent, as a file's is not.
    public var length: Int? {
        switch content {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .chunks(_, let length, _): length
        case .file: nil
        }
    }

    /// The chunks of one sending, for transports.
    ///
    /// They throw where they are more or fewer bytes than the ``length``.
    ///
    /// - Returns: The chunks, from the first one.
    /// - Throws: ``TransportError`` (`bodyAlreadySent`; `bodyFailed`: the file can't be read, or what making them throws).
    public func chunks() async throws -> RequestBodyChunks { try await toSend().chunks }

    /// The same body, which leaves only while something holds.
    ///
    /// Asked at the last moment there is: once there is a connection, where the transport has no need of the body before.
    /// False ends the sending as ``TransportError`` `bodyFailed` of a request that has not reached the server, which
    /// has its head at most.
    ///
    /// - Parameter isInTime: Whether it may still be sent.
    /// - Returns: The body.
    package func leaving(while isInTime: @escaping @Sendable () -> Bool) -> RequestBody {
        var body = self
        body.mayLeave = isInTime
        return body
    }

    /// The bytes, where they can be sent in one piece because nobody wants to know how far they are.
    var unreportedBytes: [UInt8]? { report == nil && mayLeave == nil ? bytes : nil }

    /// The body of one sending, with its length at this time.
    ///
    /// - Throws: As ``chunks()``; `CancellationError`.
    func toSend() async throws -> BodyToSend {
        do {
            switch content {
            case .none:
                return BodyToSend(length: 0, mayLeave: nil, chunks: RequestBodyChunks([]))
            case .bytes(let bytes):
                return measured(RequestBodyChunks(Self.parts(of: bytes)), length: bytes.count)
            case .chunks(let source, let length, _):
                return measured(try await source(), length: length)
            case .file(let path):
                let file = try await FileChunks(path: path)
                return measured(RequestBodyChunks(file), length: file.length)
            }
        } catch {
            throw BodyToSend.fault(error, mayHaveReachedServer: false)
        }
    }

    private func measured(_ chunks: RequestBodyChunks, length: Int?) -> BodyToSend {
        let counted = MeasuredChunks(chunks: chunks, length: length, report: report, mayLeave: mayLeave)
        return BodyToSend(length: length, mayLeave: mayLeave, chunks: RequestBodyChunks(counted))
    }

    /// In parts, so that there is progress to report.
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

    /// The length.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Says once that it is the first time.
private final class Once: Sendable {
    private let isUsed = Mutex(false)

    func isFirst() -> Bool {
        isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }
}
