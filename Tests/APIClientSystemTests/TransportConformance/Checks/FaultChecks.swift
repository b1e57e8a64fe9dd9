// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
import TestSupport

extension TransportConformance {
    static let faults: [TransportCheck] = [
        TransportCheck("a refused connection is reported, and that nothing was sent") { transport in
            let port = try ScriptedServer.closedPort()
            for host in ["127.0.0.1", "localhost"] {
                let request = request("\(host):\(port)")
                try await expectError([.connectionRefused], reached: false, transport, request, "a refused connection")
            }
        },
        TransportCheck("a name without an address is reported, and that nothing was sent") { transport in
            // Never registered: RFC 6761, section 6.4.
            let request = request("no-such-host.invalid")
            try await expectError([.hostNotFound], reached: false, transport, request, "a name without an address")
        },
        TransportCheck("a connection that ends without a response is reported as closed") { transport in
            let server = try ScriptedServer { try $0.hangUp() }
            let request = request(server.authority)
            try await expectError([.connectionClosed], reached: true, transport, request, "a connection that ended")
        },
        TransportCheck("half a response is never a response") { transport in
            let server = try halfResponses()
            for path in ["/length", "/chunked"] {
                _ = try await fault(transport, request(server.authority, path), "half a response")
            }
        },
        TransportCheck("a connection that ends within a response is reported as closed") { transport in
            let server = try halfResponses()
            for path in ["/length", "/chunked"] {
                let request = request(server.authority, path)
                try await expectError([.connectionClosed], reached: true, transport, request, "half a response")
            }
        },
        TransportCheck("a server without TLS receives nothing") { transport in
            let server = try ScriptedServer { try $0.respond() }
            let request = try secureRequest(server.authority)
            _ = try await fault(transport, request, "a server without TLS")
            try expect(server.requests.isEmpty, "a request was sent without TLS")
        },
        TransportCheck("a server without TLS is reported as insecure") { transport in
            let server = try ScriptedServer { try $0.respond() }
            let request = try secureRequest(server.authority)
            try await expectError([.insecureConnection], transport, request, "a server without TLS")
        },
    ]

    /// Starts a server whose connections end in the middle of their first response.
    private static func halfResponses() throws -> ScriptedServer {
        try ScriptedServer { exchange in
            let isChunked = exchange.request.target == "/chunked"
            let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 100"
            try exchange.write("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n4\r\nhalf\r\n")
            try exchange.hangUp()
        }
    }

    private static func secureRequest(_ authority: String) throws -> TransportRequest {
        var request = request(authority, fields: [.authorization: "Bearer t1"])
        request.head.scheme = "https"
        return request
    }
}
