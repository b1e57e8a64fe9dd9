// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
import TestSupport

extension TransportConformance {
    private static let short = Duration.milliseconds(300)

    static let timeouts: [TransportCheck] = [
        TransportCheck("a connection that is not made times out") { transport in
            let port = try DeafPort()
            let request = request("127.0.0.1:\(port.port)", timeout: short)
            try await expectTimeout(nil, transport, request, "a connection that is not made")
        },
        TransportCheck("a server that does not respond times out, and may have the request") { transport in
            let server = try ScriptedServer { try $0.waitForEnd() }
            try await expectTimeout(true, transport, request(server.authority, timeout: short), "no response")
            try expect(server.requests.count <= 1, "a request without a response was sent again")
        },
        TransportCheck("the timeout limits the whole response, however busy the server is") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                // As fast as the client reads, and without end.
                while true { try exchange.write("1\r\na\r\n") }
            }
            let request = request(server.authority, timeout: short, maximumResponseSize: .max)
            try await expectTimeout(true, transport, request, "an endless response")
        },
        TransportCheck("a body that does not arrive times out") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                try exchange.waitForEnd()
            }
            try await expectTimeout(true, transport, request(server.authority, timeout: short), "half a response")
        },
        TransportCheck("a request's body that the server does not read times out") { transport in
            let gate = Gate()
            defer { gate.open() }
            let server = try ScriptedServer { _ in gate.wait() }
            let body = [UInt8](repeating: 7, count: 50_000_000)
            let request = request(server.authority, method: .post, body: body, timeout: short)
            try await expectTimeout(true, transport, request, "half a body")
        },
        TransportCheck("a timeout of any length is valid") { transport in
            let server = try ScriptedServer { try $0.respond() }
            let request = request(server.authority, timeout: .seconds(Int64.max))
            try expect(try await transport.send(request).head.status == .ok, "a long timeout was an error")
        },
    ]

    private static func expectTimeout(
        _ reached: Bool?,
        _ transport: any Transport,
        _ request: TransportRequest,
        _ context: String
    ) async throws {
        let start = ContinuousClock.now
        try await expectError([.timedOut], reached: reached, transport, request, context)
        try expect(ContinuousClock.now - start < timeout, "\(context) took far longer than the timeout")
    }
}
