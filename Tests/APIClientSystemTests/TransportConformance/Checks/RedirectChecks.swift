// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
import TestSupport

extension TransportConformance {
    static let redirects: [TransportCheck] = [301, 302, 303, 307, 308].map { status in
        TransportCheck("a \(status) is a response: no request and no credential goes to its location") { transport in
            let other = try ScriptedServer { try $0.respond() }
            let elsewhere = "http://\(other.authority)/stolen"
            let server = try ScriptedServer { exchange in
                let target = exchange.request.target == "/here" ? "/there" : elsewhere
                try exchange.respond(status, ["Location: \(target)"], body: Array("moved".utf8))
            }
            let fields: HTTPFields = [.authorization: "Bearer t1", try name("X-API-Key"): "k1", .cookie: "a=b"]
            for path in ["/here", "/elsewhere"] {
                for method in [HTTPRequest.Method.get, .post] {
                    let body: [UInt8]? = method == .post ? [1, 2, 3] : nil
                    let request = request(server.authority, path, method: method, fields: fields, body: body)
                    let response = try await transport.send(request)
                    try expect(response.head.status.code == status, "\(status) was followed to \(response)")
                    try expect(response.head.headerFields[.location] != nil, "the location is lost")
                }
            }
            try expect(server.requests.count == 4, "a redirect to the same server was followed")
            try expect(other.connectionCount == 0, "a redirect to another server was followed")
        }
    }
}
