// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
import TestSupport

extension TransportConformance {
    static let repetition: [TransportCheck] = [
        TransportCheck("no cookie is kept") { transport in
            let server = try ScriptedServer { try $0.respond(200, ["Set-Cookie: a=b; Path=/"]) }
            for _ in 0..<2 {
                let response = try await transport.send(request(server.authority))
                try expect(response.head.headerFields[.setCookie] == "a=b; Path=/", "the field itself is lost")
            }
            try expect(server.requests.map { $0.values("Cookie") } == [[], []], "a cookie was kept")
        },
        TransportCheck("no response is cached, even if it is cacheable") { transport in
            let server = try ScriptedServer { try $0.respond(200, ["Cache-Control: max-age=3600", "ETag: \"a\""]) }
            for _ in 0..<2 { _ = try await transport.send(request(server.authority)) }
            let conditions = server.requests.flatMap { $0.values("If-None-Match") }
            try expect(server.requests.count == 2 && conditions.isEmpty, "a response was cached")
        },
        TransportCheck("nothing is sent again after 408, 425, 429, 503 and 504") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.respond(Int(exchange.request.target.dropFirst()) ?? 0, ["Retry-After: 0"])
            }
            for status in [408, 425, 429, 503, 504] {
                let response = try await transport.send(request(server.authority, "/\(status)"))
                try expect(response.head.status.code == status, "\(status) arrived as \(response)")
            }
            try expect(server.requests.count == 5, "\(server.requests.count) requests were sent instead of 5")
        },
        TransportCheck("nothing is sent again if the connection ends without a response") { transport in
            let server = try ScriptedServer { exchange in
                _ = try exchange.body()
                try exchange.hangUp()
            }
            for method in [HTTPRequest.Method.get, .post] {
                let body: [UInt8]? = method == .post ? [1] : nil
                let request = request(server.authority, method: method, body: body)
                let fault = try await fault(transport, request, "a connection that ended without a response")
                try expect(fault.mayHaveReachedServer, "the error says that a request that arrived was not sent")
            }
            try expect(server.requests.count == 2, "\(server.requests.count) requests were sent instead of 2")
        },
        TransportCheck("nothing is sent again if a reused connection ends without a response") { transport in
            let server = try ScriptedServer { exchange in
                if exchange.request.target == "/first" { return try exchange.respond() }
                _ = try exchange.body()
                try exchange.hangUp()
            }
            let (post, patch) = (HTTPRequest.Method.post, HTTPRequest.Method.patch)
            for (method, body) in [(post, [1]), (post, []), (post, nil), (patch, [1])] as [(_, [UInt8]?)] {
                _ = try await transport.send(request(server.authority, "/first"))
                let second = request(server.authority, "/second", method: method, body: body)
                let fault = try await fault(transport, second, "a reused connection that ended")
                try expect(fault.code == .connectionClosed, "a reused connection that ended is \(fault.code)")
                try expect(fault.mayHaveReachedServer, "the error says that a request that arrived was not sent")
            }
            try expect(server.requests.count == 8, "\(server.requests.count) requests were sent instead of 8")
        },
        TransportCheck("a request that is sent once has a connection of its own") { transport in
            let server = try ScriptedServer { try $0.respond() }
            for sendsOnce in [false, true, true, false] {
                var request = request(server.authority, method: .post, body: [1])
                request.sendsOnce = sendsOnce
                _ = try await transport.send(request)
            }
            try expect(server.connectionCount == 3, "\(server.connectionCount) connections were made instead of 3")
        },
        TransportCheck("a request whose guard returns false is not sent") { transport in
            let server = try ScriptedServer { try $0.respond() }
            var refused = request(server.authority, method: .post, body: [1, 2, 3])
            refused.sendGuard = { false }
            try await expectError([.notSent], reached: false, transport, refused, "a request that is not wanted")
            try expect(server.requests.isEmpty, "a request was sent that is not wanted")
            refused.sendGuard = { true }
            _ = try await transport.send(refused)
            try expect(server.requests.count == 1, "a request was not sent that is wanted")
        },
        TransportCheck("nothing is sent again if the connection ends within the head or the body") { transport in
            let server = try ScriptedServer { exchange in
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n"
                try exchange.write(exchange.request.target == "/head" ? head : head + "\r\nhalf")
                try exchange.hangUp()
            }
            for path in ["/head", "/body"] {
                let fault = try await fault(transport, request(server.authority, path), "half a response")
                try expect(fault.mayHaveReachedServer, "the error says that a request with a response did not arrive")
            }
            try expect(server.requests.count == 2, "\(server.requests.count) requests were sent instead of 2")
        },
    ]
}
