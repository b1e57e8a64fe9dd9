// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Synchronization
import Testing

@Suite struct DownloadTests {
    private struct ReaderError: Error {}

    /// A transport that streams chunks and counts sends.
    private struct ChunkTransport: Transport {
        let status: Int
        let headers: HTTPFields
        let chunks: [[UInt8]]
        let fault: TransportError?
        let sends = SendCount()

        init(_ chunks: [[UInt8]], status: Int = 200, headers: HTTPFields = [:], fault: TransportError? = nil) {
            self.status = status
            self.headers = headers
            self.chunks = chunks
            self.fault = fault
        }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            throw TransportError(.failed, mayHaveReachedServer: false)
        }

        func stream<Value: Sendable>(
            _ request: TransportRequest,
            _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
        ) async throws -> Value {
            sends.add()
            let (stream, feed) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
            for chunk in chunks { feed.yield(chunk) }
            feed.finish(throwing: fault)
            let head = HTTPResponse(status: .init(code: status), headerFields: headers)
            return try await read(head, ResponseBody(stream))
        }
    }

    private final class SendCount: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    private final class ProgressLog: Sendable {
        private let state = Mutex<[TransferProgress]>([])
        var all: [TransferProgress] { state.withLock { $0 } }
        func add(_ progress: TransferProgress) { state.withLock { $0.append(progress) } }
    }

    private static func client(_ transport: any Transport) throws -> APIClient {
        APIClient(baseURL: try BaseURL("https://api.example.com"), transport: transport)
    }

    private static func all(_ body: ResponseBody) async throws -> String {
        try await body.reduce(into: "") { $0 += String(decoding: $1, as: UTF8.self) }
    }

    @Test func `a body is streamed, and its progress is reported`() async throws {
        let transport = ChunkTransport([[1, 2], [3], [4, 5, 6]], headers: [.contentLength: "6"])
        let reported = ProgressLog()
        let count = try await Self.client(transport)
            .download(.download("/file"), progress: { reported.add($0) }) {
                head,
                body in
                #expect(head.status == .ok)
                return try await body.reduce(into: 0) { $0 += $1.count }
            }
        #expect(count == 6)
        let expected = [2, 3, 6].map { TransferProgress(bytes: $0, expectedTotal: 6) }
        #expect(reported.all == expected)
    }

    @Test(
        arguments: [
            [:], [.contentLength: "x"], [.contentLength: "-1"], [.contentLength: "6", .contentEncoding: "gzip"],
        ] as [HTTPFields]
    )
    func `an unknown total is not reported`(headers: HTTPFields) async throws {
        let reported = ProgressLog()
        try await Self.client(ChunkTransport([[1, 2]], headers: headers))
            .download(.download("/file"), progress: { reported.add($0) }) { _, body in
                for try await _ in body {}
            }
        #expect(reported.all == [TransferProgress(bytes: 2, expectedTotal: nil)])
    }

    @Test func `a 401 is retried with a new token, and only the last response is read`() async throws {
        let reads = SendCount()
        let fixture = try CallFixture { request in
            request.head.headerFields[.authorization] == "Bearer t2" ? CallFixture.ada : CallFixture.unauthorized()
        }
        let text = try await fixture.client.download(.download("/file")) { _, body in
            reads.add()
            return try await Self.all(body)
        }
        #expect(text == #"{"name":"Ada"}"#)
        #expect(reads.value == 1)
        #expect(fixture.refreshes == 1)
        #expect(fixture.transport.requests.map { $0.head.headerFields[.accept] } == ["*/*", "*/*"])
    }

    @Test func `a download follows redirects and retries until its response begins`() async throws {
        let responses = ResponseSequence([
            CallFixture.refusal(503), CallFixture.redirect(302, to: "https://files.example.net/f"), CallFixture.ada,
        ])
        let fixture = try CallFixture(configure: { $0.redirects = .anyOrigin() }) { _ in try responses.next() }
        _ = try await fixture.client.download(.download("/file")) { _, body in try await Self.all(body) }
        #expect(fixture.authorizations == ["Bearer t1", "Bearer t1", nil])
    }

    @Test func `an error response is not read as a file, and its code is reported`() async throws {
        let fixture = try CallFixture { _ in .json(#"{"error":{"code":"gone"}}"#, status: 410) }
        let error = await #expect(throws: APIError.self) {
            try await fixture.client.download(.download("/file")) { _, _ in _ = Issue.record("read") }
        }
        #expect(error?.status == 410)
        #expect(error?.serverCode?.rawValue == "gone")
    }

    @Test func `an interrupted body is unreachable, and nothing is sent again`() async throws {
        let transport = ChunkTransport([[1]], fault: TransportError(.connectionClosed, mayHaveReachedServer: true))
        let error = await #expect(throws: APIError.self) {
            try await Self.client(transport).download(.download("/file")) { _, body in try await Self.all(body) }
        }
        #expect(error?.code == .unreachable)
        #expect(error?.underlying as? TransportError == TransportError(.connectionClosed, mayHaveReachedServer: true))
        #expect(transport.sends.value == 1)
    }

    @Test func `the reader's own error is rethrown, and nothing is sent again`() async throws {
        let transport = ChunkTransport([[1]])
        await #expect(throws: ReaderError.self) {
            try await Self.client(transport).download(.download("/file")) { _, _ in throw ReaderError() }
        }
        #expect(transport.sends.value == 1)
    }

    @Test func `only the beginning of a long error response is kept`() async throws {
        let chunks = Array(repeating: Array(repeating: UInt8(7), count: 1_000), count: 1_000)
        let error = await #expect(throws: APIError.self) {
            try await Self.client(ChunkTransport(chunks, status: 500)).download(.download("/f")) { _, _ in }
        }
        #expect(error?.body?.unredacted.count == 4_096)
        #expect(error?.body?.isTruncated == true)
    }
}
