public import APIClient
public import HTTPTypes
import Synchronization

/// A transport that answers as a test says, and remembers what it was sent.
public final class ScriptedTransport: Transport {
    /// What answers a request: a response, or a thrown ``TransportError``.
    ///
    /// It may suspend to hold an answer back.
    public typealias Answer = @Sendable (TransportRequest) async throws -> TransportResponse

    private let answer: Answer
    private let sent = Mutex<[TransportRequest]>([])

    /// Makes a transport.
    ///
    /// - Parameter answer: Called once a request, from the request's own task.
    public init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Every request so far, in the order sent.
    public var requests: [TransportRequest] { sent.withLock { $0 } }

    /// How many requests went to a path, whatever their query.
    ///
    /// - Parameter path: The path.
    /// - Returns: The number.
    public func count(of path: String) -> Int {
        requests.count { $0.head.path?.prefix { $0 != "?" } == path[...] }
    }

    /// Remembers the request and answers as the test says.
    ///
    /// - Parameter request: What is sent.
    /// - Returns: The answer.
    /// - Throws: What the answer throws.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        sent.withLock { $0.append(request) }
        return try await answer(request)
    }
}

extension TransportResponse {
    /// An answer with a JSON body.
    ///
    /// - Parameters:
    ///   - json: The body as text.
    ///   - status: The status code.
    ///   - headers: Further header fields.
    /// - Returns: The answer.
    public static func json(_ json: String, status: Int = 200, headers: HTTPFields = [:]) -> TransportResponse {
        var fields = headers
        fields[.contentType] = "application/json"
        return TransportResponse(
            head: HTTPResponse(status: .init(code: status), headerFields: fields),
            body: Array(json.utf8)
        )
    }
}
