// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import HTTPTypes
import Synchronization

/// A transport that responds as a test says, and records the requests.
public final class ScriptedTransport: Transport {
    /// Returns the response to a request, or throws a `TransportError`; may suspend to delay the response.
    public typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

    private let handler: Handler
    private let sent = Mutex<[TransportRequest]>([])

    /// Creates a transport.
    ///
    /// - Parameter handler: Called once per request, in the request's own task.
    public init(_ handler: @escaping Handler) {
        self.handler = handler
    }

    /// Every request so far, in the order sent.
    public var requests: [TransportRequest] { sent.withLock { $0 } }

    /// Counts the requests to a path, ignoring their queries.
    public func count(of path: String) -> Int {
        requests.count { $0.head.path?.prefix { $0 != "?" } == path[...] }
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        sent.withLock { $0.append(request) }
        return try await handler(request)
    }
}

extension TransportResponse {
    /// Creates a response with a JSON body.
    public static func json(_ json: String, status: Int = 200, headers: HTTPFields = [:]) -> TransportResponse {
        var fields = headers
        fields[.contentType] = "application/json"
        return TransportResponse(
            head: HTTPResponse(status: .init(code: status), headerFields: fields),
            body: Array(json.utf8)
        )
    }
}
