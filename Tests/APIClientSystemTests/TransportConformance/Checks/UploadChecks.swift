// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
import Synchronization
import TestSupport

extension TransportConformance {
    static let uploads: [TransportCheck] = [
        TransportCheck("a request without a body sends none, and an empty body has length zero") { transport in
            let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
            for body in [RequestBody.none, .bytes([]), .restartable(length: 0) { BodyChunks([]) }] {
                let response = try await transport.send(request(server.authority, method: .post, body: body))
                try expect(response.body.isEmpty, "an empty body arrived with bytes")
                try expect(server.requests.last?.values("Content-Length") == ["0"], "an empty body has no length")
            }
            _ = try await transport.send(request(server.authority))
            let seen = server.requests.last
            try expect(
                seen?.values("Content-Length") ?? ["0"] == [] && seen?.values("Transfer-Encoding") == [],
                "GET has a body"
            )
        },
        TransportCheck("a large body arrives whole") { transport in
            let server = try ScriptedServer { try $0.respond(body: [$0.body() == pattern(8 * 1_024 * 1_024) ? 1 : 0]) }
            let body = RequestBody.bytes(pattern(8 * 1_024 * 1_024))
            let response = try await transport.send(request(server.authority, method: .post, body: body))
            try expect(response.body == [1], "a body of 8 MiB arrived changed")
        },
        TransportCheck("a body in chunks arrives whole, of known length and of unknown") { transport in
            let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
            let whole = pattern(300_000)
            let chunks = stride(from: 0, to: whole.count, by: 70_000).map {
                Array(whole[$0..<min(whole.count, $0 + 70_000)])
            }
            for length in [whole.count, nil] {
                let body = RequestBody.restartable(length: length) { BodyChunks(chunks) }
                for _ in 0..<2 {
                    let response = try await transport.send(request(server.authority, method: .put, body: body))
                    try expect(response.body == whole, "a body of \(chunks.count) chunks arrived changed")
                }
                guard let length else { continue }
                let declared = server.requests.last?.values("Content-Length") ?? []
                try expect(declared == ["\(length)"], "a length of \(length) was declared as \(declared)")
            }
        },
        TransportCheck("a file arrives whole, as it is at each sending") { transport in
            let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
            let file = try TemporaryFile(pattern(300_000))
            let body = RequestBody.file(file.path)
            let response = try await transport.send(request(server.authority, method: .put, body: body))
            try expect(response.body == pattern(300_000), "a file arrived changed")
            try file.write(Array("shorter".utf8))
            let second = try await transport.send(request(server.authority, method: .put, body: body))
            try expect(second.body == Array("shorter".utf8), "a file arrived as it was before")
        },
        TransportCheck("a body that can't be produced is reported") { transport in
            let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
            struct BodyError: Error {}
            let failing = RequestBody.oneShot(
                length: 10,
                AsyncThrowingStream<[UInt8], any Error>(unfolding: { throw BodyError() })
            )
            let bodies: [RequestBody] = [
                .file("/no/such/file"), .file("/"), failing,
                .restartable(length: 10) { BodyChunks([[1]]) },
                RequestBody.restartable(length: 10) { BodyChunks([pattern(11)]) },
            ]
            for body in bodies {
                let request = request(server.authority, method: .put, body: body)
                try await expectError([.bodyFailed], transport, request, "a body that can't be produced")
            }
            let file = request(server.authority, method: .put, body: .file("/no/such/file"))
            try await expectError([.bodyFailed], reached: false, transport, file, "a file that does not exist")
        },
        TransportCheck("a body for one sending is not sent twice") { transport in
            let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
            let body = RequestBody.oneShot(BodyChunks([[1], [2]]))
            let request = request(server.authority, method: .put, body: body)
            let response = try await transport.send(request)
            try expect(response.body == [1, 2], "a body for one sending arrived changed")
            try await expectError([.bodyAlreadySent], reached: false, transport, request, "a second sending")
            try expect(server.requests.count == 1, "a second sending reached the server")
        },
        TransportCheck("progress goes up to the whole") { transport in
            let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
            let reports = Mutex<[Int]>([])
            let body = RequestBody.bytes(pattern(1_000_000)).reportingProgress { sent, total in
                reports.withLock { $0.append(total == 1_000_000 ? sent : -1) }
            }
            let response = try await transport.send(request(server.authority, method: .put, body: body))
            try expect(response.body == pattern(1_000_000), "a body whose progress is reported arrived changed")
            let seen = reports.withLock { $0 }
            try expect(seen == seen.sorted() && seen.count > 1, "the progress of a body was \(seen)")
            try expect((seen.first ?? -1) > 0 && (seen.last ?? 0) <= 1_000_000, "the progress of a body was \(seen)")
        },
        TransportCheck("an early refusal is returned before the body is sent") { transport in
            let server = try ScriptedServer { exchange in
                if exchange.request.target == "/after" { return try exchange.respond(body: Array("after".utf8)) }
                try exchange.write("HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno")
                // Reads on: closing a connection with unread bytes may drop the response. And if the client was fast
                // enough to send the whole body, it may reuse this connection.
                _ = try exchange.body()
            }
            for length in [50_000_000, nil] {
                let body = RequestBody.restartable(length: length) {
                    BodyChunks(Array(repeating: Array(repeating: 7, count: 100_000), count: 500))
                }
                let response = try await transport.send(request(server.authority, method: .put, body: body))
                try expect(response.head.status == .unauthorized, "an early 401 arrived as \(response)")
                try expect(response.body == Array("no".utf8), "the body of an early 401 did not arrive")
                let after = try await transport.send(request(server.authority, "/after"))
                try expect(after.body == Array("after".utf8), "the request after an early response got \(after)")
            }
        },
    ]
}
