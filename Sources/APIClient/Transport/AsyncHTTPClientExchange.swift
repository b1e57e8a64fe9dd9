// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && canImport(AsyncHTTPClient)
import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1

/// A request of an `HTTPClient` and the response to it.
struct AsyncHTTPClientExchange: Sendable {
    /// The incoming response.
    let incoming = IncomingResponse()
    private let outgoing = AsyncChannel<[UInt8]>()
    private let body: OutgoingBody

    init(_ body: OutgoingBody) {
        self.body = body
    }

    /// The body in the client's type.
    var clientBody: HTTPClientRequest.Body? {
        switch body {
        case .none:
            nil
        case .bytes(let bytes):
            .bytes(ByteBuffer(bytes: bytes))
        case .chunks(let body):
            .stream(
                OutgoingBuffers(chunks: outgoing, length: body.length, sendGuard: body.sendGuard),
                length: body.length.map { .known(Int64($0)) } ?? .unknown
            )
        }
    }

    /// Sends the request, and delivers the response chunk by chunk as the caller takes it.
    func start(_ request: HTTPClientRequest, with client: HTTPClient) -> [Task<Void, Never>] {
        let exchanging = Task {
            do {
                let response = try await client.execute(request, deadline: .distantFuture)
                incoming.heads.push(Self.head(of: response))
                for try await buffer in response.body {
                    try await incoming.chunks.send(Array(buffer.readableBytesView))
                }
                incoming.finish()
            } catch {
                incoming.fail(AsyncHTTPClientErrorMapping.transportError(for: error))
            }
        }
        guard case .chunks(let body) = body else { return [exchanging] }
        return [exchanging, Task { await body.produce(into: outgoing, incoming: incoming) }]
    }

    /// Cancels the rest of the exchange.
    func end(_ tasks: [Task<Void, Never>]) {
        for task in tasks { task.cancel() }
        outgoing.finish(throwing: CancellationError(), dropping: true)
    }

    private static func head(of response: HTTPClientResponse) -> HTTPResponse {
        var fields = HTTPFields()
        for header in response.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        return HTTPResponse(status: .init(code: Int(response.status.code)), headerFields: fields)
    }
}

/// The chunks of a body in the client's type.
private struct OutgoingBuffers: AsyncSequence, Sendable {
    let chunks: AsyncChannel<[UInt8]>
    let length: Int?
    let sendGuard: (@Sendable () -> Bool)?

    func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks, length: length, sendGuard: sendGuard) }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: AsyncChannel<[UInt8]>
        let length: Int?
        let sendGuard: (@Sendable () -> Bool)?
        var count = 0

        mutating func next() async throws -> ByteBuffer? {
            // A complete body ends without asking for another chunk: the response may be there, and the exchange over,
            // already.
            if let length, count >= length { return nil }
            guard let chunk = try await chunks.next() else { return nil }
            // The client asks for the first chunk once it has a connection.
            if count == 0 { try OutgoingChunks.checkSendGuard(sendGuard) }
            count += chunk.count
            return ByteBuffer(bytes: chunk)
        }
    }
}

extension RequestCheck {
    /// Returns the request in the client's type.
    func clientRequest(_ request: TransportRequest, body: HTTPClientRequest.Body?) -> HTTPClientRequest {
        var result = HTTPClientRequest(url: url)
        result.method = HTTPMethod(rawValue: request.head.method.rawValue)
        for field in request.head.headerFields {
            result.headers.add(name: field.name.canonicalName, value: field.value)
        }
        result.body = body
        return result
    }
}
#endif
