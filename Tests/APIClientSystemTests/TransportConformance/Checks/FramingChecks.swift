// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
import TestSupport

extension TransportConformance {
    static let framing: [TransportCheck] = [
        TransportCheck("what came before a request is not its response") { transport in
            for method in [HTTPRequest.Method.get, .post] {
                let (received, sent) = (Gate(), Gate())
                let server = try ScriptedServer { exchange in
                    try exchange.respond(body: Array(exchange.request.target.utf8))
                    guard exchange.request.target == "/first" else { return }
                    received.wait()
                    try exchange.respond(body: Array("unasked".utf8))
                    sent.open()
                }
                for path in ["/first", "/second", "/third"] {
                    let response = try await transport.send(request(server.authority, path, method: method))
                    try expect(response.body == Array(path.utf8), "\(path) got another response: \(response)")
                    received.open()
                    try await expect(sent.opens(within: timeout), "the unasked response was not sent")
                }
                try expect(server.requests.count == 3, "\(server.requests.count) requests were sent instead of 3")
            }
        },
        TransportCheck("a response to HEAD has no body, whatever length it declares") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\nX-Seen: 1\r\n\r\n")
            }
            for _ in 0..<2 {
                let request = request(server.authority, method: .head, maximumResponseSize: 1_000)
                let response = try await transport.send(request)
                try expect(response.head.status == .ok && response.body.isEmpty, "the response to HEAD is \(response)")
                try expect(
                    response.head.headerFields[try name("X-Seen")] == "1",
                    "the head of the response to HEAD is lost"
                )
            }
        },
        TransportCheck("204 and 304 end with their head") { transport in
            let server = try ScriptedServer { exchange in
                let status = exchange.request.target.dropFirst()
                let length = status == "304" ? "Content-Length: 1000000000\r\n" : ""
                try exchange.write("HTTP/1.1 \(status) Empty\r\n\(length)\r\n")
            }
            for status in [204, 304, 204, 304] {
                let response = try await transport.send(request(server.authority, "/\(status)"))
                try expect(
                    response.head.status.code == status && response.body.isEmpty,
                    "the response with \(status) is \(response)"
                )
            }
        },
        TransportCheck("interim responses are skipped") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
                try exchange.write("HTTP/1.1 100 Continue\r\n\r\n")
                try exchange.respond(body: Array("final".utf8))
            }
            let response = try await transport.send(request(server.authority))
            let isFinal = response.head.status == .ok && response.body == Array("final".utf8)
            try expect(isFinal, "an interim response was returned as the final one")
        },
        TransportCheck("a response in HTTP/1.0 is accepted") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.0 200 OK\r\nX-Seen: 1\r\n\r\nold")
                try exchange.hangUp()
            }
            let response = try await transport.send(request(server.authority))
            try expect(response.body == Array("old".utf8), "a response in HTTP/1.0 arrived as \(response)")
            try expect(response.head.headerFields[try name("X-Seen")] == "1", "a field in HTTP/1.0 is lost")
        },
        TransportCheck("a chunked response arrives whole") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for part in ["one", "two;", "\r\n\0three"] {
                    try exchange.write("\(String(part.utf8.count, radix: 16))\r\n\(part)\r\n")
                }
                try exchange.write("0\r\n\r\n")
            }
            let response = try await transport.send(request(server.authority))
            try expect(response.body == Array("onetwo;\r\n\0three".utf8), "the chunks arrived as \(response)")
        },
        TransportCheck("a response that ends with its connection arrives whole") { transport in
            let body = pattern(100_000)
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
                try exchange.write(body)
                try exchange.hangUp()
            }
            let response = try await transport.send(request(server.authority))
            try expect(response.body == body, "a response without a length arrived as \(response)")
        },
        TransportCheck("a large response arrives whole") { transport in
            let body = pattern(8 * 1_024 * 1_024)
            let server = try ScriptedServer { try $0.respond(body: body) }
            let response = try await transport.send(request(server.authority))
            try expect(response.body == body, "a response of 8 MiB arrived as \(response)")
        },
        TransportCheck("a response that is not HTTP is an error") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("SSH-2.0-OpenSSH_9.9\r\n\r\n")
                try exchange.hangUp()
            }
            let fault = try await fault(transport, request(server.authority), "a response that is not HTTP")
            try expect(fault.mayHaveReachedServer, "the error says that a server that responded was not reached")
        },
    ]
}
