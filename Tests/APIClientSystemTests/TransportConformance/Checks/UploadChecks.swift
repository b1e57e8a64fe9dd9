// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
import TestSupport

extension TransportConformance {
    static let uploads: [TransportCheck] = [
        TransportCheck("a request without a body sends none, and an empty body has length zero") { transport in
            let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
            for body in [nil, []] as [[UInt8]?] {
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
            let body = pattern(8 * 1_024 * 1_024)
            let response = try await transport.send(request(server.authority, method: .post, body: body))
            try expect(response.body == [1], "a body of 8 MiB arrived changed")
        },
        TransportCheck("an early refusal is returned before the body is sent") { transport in
            let server = try ScriptedServer { exchange in
                if exchange.request.target == "/after" { return try exchange.respond(body: Array("after".utf8)) }
                try exchange.write("HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno")
                // Reads on: closing a connection with unread bytes may drop the response. And if the client was fast
                // enough to send the whole body, it may reuse this connection.
                _ = try exchange.body()
            }
            for _ in 0..<2 {
                let body = [UInt8](repeating: 7, count: 50_000_000)
                let response = try await transport.send(request(server.authority, method: .put, body: body))
                try expect(response.head.status == .unauthorized, "an early 401 arrived as \(response)")
                try expect(response.body == Array("no".utf8), "the body of an early 401 did not arrive")
                let after = try await transport.send(request(server.authority, "/after"))
                try expect(after.body == Array("after".utf8), "the request after an early response got \(after)")
            }
        },
    ]
}
