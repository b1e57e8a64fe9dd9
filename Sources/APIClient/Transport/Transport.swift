// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import HTTPTypes

/// A transport, which carries one request to a server and one response back.
///
/// It follows no redirect, keeps no cookie and adds no credential: the client decides all that. It ends at once if its
/// task is cancelled, and never waits longer than the request's timeout. It may repeat an idempotent request on a kept
/// connection that ended without a response; any other request reaches the server at most once.
public protocol Transport: Sendable {
    /// Sends one request.
    ///
    /// If the task is cancelled, the server may still carry out a request that was sent.
    ///
    /// - Returns: The response, of any status, with its whole body.
    /// - Throws: ``TransportError`` if there was no complete response; `CancellationError`.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// A response as it was received.
///
/// All of it is untrusted, and may hold secrets. Its description shows its status and its length.
public struct TransportResponse: Sendable, Redacted {
    /// The status and header fields.
    public var head: HTTPResponse
    /// The whole body, decompressed.
    public var body: [UInt8]
    /// The values that its request held, which no error may repeat.
    ///
    /// Set by the client.
    package internal(set) var sent = SentValues()

    /// Creates a response.
    public init(head: HTTPResponse, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    public var description: String { "\(head.status.code), \(body.count) bytes" }
}

/// The transport of everything that was not given one.
package enum DefaultTransport {
    /// URLSession on Apple systems, libcurl on Linux, for the life of the process.
    package static let shared: any Transport = {
        #if canImport(Darwin)
        URLSessionTransport()
        #elseif Curl
        CurlTransport()
        #else
        UnavailableTransport()
        #endif
    }()
}

#if !canImport(Darwin) && !Curl
/// A transport that sends nothing, because the trait `Curl` is off.
private struct UnavailableTransport: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw TransportError(.failed, mayHaveReachedServer: false)
    }
}
#endif
