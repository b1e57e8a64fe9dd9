// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import TestSupport

extension TransportConformance {
    static let messages: [TransportCheck] = [
        TransportCheck("method, path and query arrive as they are") { transport in
            let server = try ScriptedServer { try $0.respond() }
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"] {
                guard let method = HTTPRequest.Method(method) else { throw ConformanceFailure("a method is invalid") }
                let path = "/v1/a%20b%2Fc/;d=~e?q=%26&r=a+b&r=&s"
                _ = try await transport.send(request(server.authority, path, method: method))
                let seen = server.requests.last
                try expect(
                    seen?.method == method.rawValue && seen?.target == path,
                    "\(method.rawValue) \(path) arrived as \(seen?.method ?? "nothing") \(seen?.target ?? "")"
                )
                try expect(seen?.values("Host") == [server.authority], "the host differs from the request's")
            }
        },
        TransportCheck("header fields arrive as they are, Authorization among them") { transport in
            let server = try ScriptedServer { try $0.respond() }
            let sent = ["Authorization": "Bearer a.b-c_d~e+f/g==", "X-API-Key": "k-1", "Accept": "a/b;q=0.5, c/d"]
            var fields = HTTPFields()
            for (field, value) in sent { fields.append(HTTPField(name: try name(field), value: value)) }
            _ = try await transport.send(request(server.authority, fields: fields))
            for (field, value) in sent {
                let seen = server.requests.last?.values(field) ?? []
                try expect(seen == [value], "\(field) arrived \(seen.count) times, or changed")
            }
        },
        TransportCheck("no credential is added") { transport in
            let server = try ScriptedServer { try $0.respond() }
            _ = try await transport.send(request(server.authority))
            for field in ["Authorization", "Proxy-Authorization", "Cookie"] {
                try expect(server.requests.last?.values(field) == [], "\(field) was added")
            }
        },
        TransportCheck("fields of one name keep their values and order, both ways") { transport in
            let server = try ScriptedServer { try $0.respond(200, ["X-Many: c", "X-Other: -", "x-many: d"]) }
            var fields = HTTPFields()
            for value in ["a", "b"] { fields.append(HTTPField(name: try name("X-Many"), value: value)) }
            let response = try await transport.send(request(server.authority, fields: fields))
            // One line or several have the same meaning. RFC 9110, section 5.3.
            let seen = server.requests.last?.values("X-Many") ?? []
            try expect(values(seen) == ["a", "b"], "a repeated request field arrived as \(seen)")
            let received = response.head.headerFields[values: try name("X-Many")]
            try expect(values(received) == ["c", "d"], "a repeated response field arrived as \(received)")
        },
        TransportCheck("bytes of every value are kept, both ways") { transport in
            let server = try ScriptedServer { try $0.respond(body: try $0.body().reversed()) }
            let body = Array(UInt8.min...UInt8.max) + [0, 0, 13, 10, 0]
            let response = try await transport.send(request(server.authority, method: .post, body: body))
            try expect(response.body == body.reversed(), "a body of every byte came back changed")
        },
        TransportCheck("a response of any status is returned") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.respond(Int(exchange.request.target.dropFirst()) ?? 0, body: Array("said".utf8))
            }
            for status in [200, 201, 226, 300, 400, 401, 403, 404, 407, 418, 429, 500, 502, 503, 599] {
                let response = try await transport.send(request(server.authority, "/\(status)"))
                try expect(response.head.status.code == status, "\(status) arrived as \(response.head.status.code)")
                try expect(response.body == Array("said".utf8), "the body of \(status) did not arrive")
            }
            try expect(server.requests.count == 15, "a response made the transport send the request again")
        },
        TransportCheck("a 401 whose challenges include Basic is returned") { transport in
            let challenge = #"Bearer error="invalid_token", Basic realm="any""#
            let server = try ScriptedServer { try $0.respond(401, ["WWW-Authenticate: \(challenge)"]) }
            let response = try await transport.send(request(server.authority))
            try expect(response.head.status == .unauthorized, "401 arrived as \(response.head.status.code)")
            try expect(response.head.headerFields[.wwwAuthenticate] == challenge, "the challenge did not arrive")
            try expect(server.requests.count == 1, "the transport sent the request again")
        },
        TransportCheck("characters that break the message are refused, and nothing is sent") { transport in
            let server = try ScriptedServer { try $0.respond() }
            let paths = ["/a\r\nX-Evil: 1", "/a b", "/a\nb", "/\0/", "/\u{7F}/", "a", "", "/a#b", "http://elsewhere/"]
            for path in paths {
                let request = request(server.authority, path)
                try await expectError(
                    [.invalidRequest],
                    reached: false,
                    transport,
                    request,
                    "the path \(path.debugDescription)"
                )
            }
            let port = server.port
            let authorities = ["u:p@127.0.0.1:\(port)", "127.0.0.1:\(port)/x?", "127.0.0.1:\r\n\(port)", ""]
            for authority in authorities {
                let request = request(authority)
                try await expectError(
                    [.invalidRequest],
                    reached: false,
                    transport,
                    request,
                    "the host \(authority.debugDescription)"
                )
            }
            var fields = HTTPFields()
            fields.append(HTTPField(name: try name("X-Value"), lenientValue: Array("a\u{1}\u{7F}b".utf8)))
            let request = request(server.authority, fields: fields)
            try await expectError([.invalidRequest], reached: false, transport, request, "a control character")
            try expect(server.connectionCount == 0, "something was sent")
        },
        TransportCheck("a field that frames or routes the message is refused, and nothing is sent") { transport in
            let server = try ScriptedServer { try $0.respond() }
            let fields = [
                ("Content-Length", "3"), ("Transfer-Encoding", "chunked"),
                ("Connection", "close"), ("Upgrade", "h2c"), ("TE", "trailers"), ("Trailer", "X-Value"),
                ("Host", "elsewhere.example.com"),
            ]
            for (field, value) in fields {
                let request = request(server.authority, fields: [try name(field): value])
                try await expectError([.invalidRequest], reached: false, transport, request, "the field \(field)")
            }
            try expect(server.connectionCount == 0, "something was sent")
        },
        TransportCheck("a line break in a field's value stays within the value") { transport in
            let server = try ScriptedServer { try $0.respond() }
            var fields = HTTPFields()
            fields[try name("X-Value")] = "a\r\nX-Evil: 1\n\0b"
            do { _ = try await transport.send(request(server.authority, fields: fields)) } catch is TransportError {}
            try expect(server.requests.allSatisfy { $0.values("X-Evil").isEmpty }, "a value became a field")
            try expect(server.requests.count <= 1, "a value became a request")
        },
        TransportCheck("64 requests at once get 64 responses, each its own") { transport in
            let server = try ScriptedServer { try $0.respond(body: Array($0.request.target.utf8) + (try $0.body())) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        let (path, body) = ("/\(number)", pattern(number * 100))
                        let request = request(server.authority, path, method: .post, body: body)
                        let response = try await transport.send(request)
                        try expect(response.body == Array(path.utf8) + body, "a response belongs to another request")
                    }
                }
                try await group.waitForAll()
            }
            try expect(server.requests.count == 64, "\(server.requests.count) requests arrived instead of 64")
        },
    ]

    private static func values(_ lines: [String]) -> [String] {
        lines.flatMap { $0.split(separator: ",") }.map { $0.drop { $0 == " " } }.map { String($0) }
    }
}
