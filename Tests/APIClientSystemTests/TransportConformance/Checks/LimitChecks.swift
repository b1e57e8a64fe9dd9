// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
import TestSupport

extension TransportConformance {
    static let limits: [TransportCheck] = [
        TransportCheck("a response of the maximum size is accepted, and one byte more is not") { transport in
            let server = try ScriptedServer { exchange in
                let size = Int(exchange.request.target.dropFirst()) ?? 0
                try exchange.respond(body: pattern(size))
            }
            for limit in [0, 1, 1_000, 1_000_000] {
                let allowed = request(server.authority, "/\(limit)", maximumResponseSize: limit)
                let response = try await transport.send(allowed)
                try expect(response.body == pattern(limit), "a response of the maximum size arrived as \(response)")
                let larger = request(server.authority, "/\(limit + 1)", maximumResponseSize: limit)
                try await expectError(
                    [.responseTooLarge],
                    reached: true,
                    transport,
                    larger,
                    "a response that is too large"
                )
            }
        },
        TransportCheck("a response that declares more than the maximum size is not awaited") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
                try exchange.waitForEnd()
            }
            let request = request(server.authority, maximumResponseSize: 1_000)
            try await expectError(
                [.responseTooLarge],
                reached: true,
                transport,
                request,
                "a response that is too large"
            )
        },
        TransportCheck("an endless response is cut off while it arrives") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                // Far more than allowed, and then silence: a transport that reads to the end would time out.
                for _ in 0..<64 { try exchange.write("4000\r\n\(String(repeating: " ", count: 0x4000))\r\n") }
                try exchange.waitForEnd()
            }
            let request = request(server.authority, maximumResponseSize: 100_000)
            try await expectError([.responseTooLarge], reached: true, transport, request, "an endless response")
        },
        TransportCheck("a header field of 100 KB is refused") { transport in
            let field = "X-Long: " + String(repeating: "a", count: 100_000)
            let server = try ScriptedServer { try $0.respond(200, [field]) }
            let request = request(server.authority)
            try await expectError([.responseTooLarge], reached: true, transport, request, "a long field")
        },
        TransportCheck("interim responses without end are refused") { transport in
            let server = try ScriptedServer { exchange in
                while true { try exchange.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") }
            }
            let request = request(server.authority)
            try await expectError([.responseTooLarge], reached: true, transport, request, "interim responses")
        },
        TransportCheck("an endless head is refused") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\n")
                let value = String(repeating: "a", count: 1_000)
                for number in 0..<2_000 { try exchange.write("X-\(number): \(value)\r\n") }
                try exchange.waitForEnd()
            }
            let fault = try await fault(transport, request(server.authority), "a head of 2 MB")
            try expect(fault.code == .responseTooLarge, "a head of 2 MB is \(fault.code)")
        },
    ]
}
