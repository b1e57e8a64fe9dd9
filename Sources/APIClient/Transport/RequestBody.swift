/// What a request carries, and how often it can be sent.
///
/// A request is sent again after a 401, a lost connection or a redirect only where its body can be. Printed or dumped it
/// shows how long it is.
public struct RequestBody: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Makes the chunks of one sending.
    typealias Source = @Sendable () async throws -> RequestBodyChunks

    private enum Content: Sendable {
        case none
        case bytes([UInt8])
        case chunks(Source, length: Int?, canBeSentAgain: Bool)
    }

    private let content: Content

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
    /// Such a request is never sent again: a 401 is then ``APIError`` `bodyNotRepeatable`.
    ///
    /// - Parameters:
    ///   - length: In bytes, where it is known.
    ///   - chunks: The body.
    /// - Returns: The body.
    public static func oneShot<Chunks: AsyncSequence & Sendable>(
        length: Int? = nil,
        _ chunks: Chunks
    ) -> RequestBody where Chunks.Element == [UInt8] {
        RequestBody(content: .chunks({ RequestBodyChunks(chunks) }, length: length, canBeSentAgain: false))
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

    /// How long it is, in bytes; nil where that is not known before it is sent.
    public var length: Int? {
        switch content {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .chunks(_, let length, _): length
        }
    }

    /// The chunks of one sending, for transports.
    ///
    /// - Returns: The chunks, from the first one.
    /// - Throws: What making them throws.
    public func chunks() async throws -> RequestBodyChunks {
        switch content {
        case .none: RequestBodyChunks([])
        case .bytes(let bytes): RequestBodyChunks([bytes])
        case .chunks(let source, _, _): try await source()
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
