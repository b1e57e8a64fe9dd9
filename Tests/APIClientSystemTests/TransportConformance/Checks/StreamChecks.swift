// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Synchronization
import TestSupport

extension TransportConformance {
    static let streams: [TransportCheck] = [
        TransportCheck("a response can be read while it arrives") { transport in
            let asked = Gate()
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
                // The second half is written once the first one was read.
                asked.wait()
                try exchange.write("3\r\ntwo\r\n0\r\n\r\n")
            }
            let read = try await transport.stream(request(server.authority)) { head, body in
                try expect(head.status == .created, "the head arrived as \(head.status)")
                var (read, chunks) = ([UInt8](), body.makeAsyncIterator())
                while read.count < 3, let chunk = try await chunks.next() { read += chunk }
                try expect(read == Array("one".utf8), "the first half arrived as \(read.count) bytes")
                asked.open()
                while let chunk = try await chunks.next() { read += chunk }
                return read
            }
            try expect(read == Array("onetwo".utf8), "the whole arrived as \(read.count) bytes")
        },
        TransportCheck("a stream is not limited by the maximum size, and arrives whole") { transport in
            let server = try ScriptedServer { try $0.respond(body: pattern(4 * 1_024 * 1_024)) }
            let request = request(server.authority, maximumResponseSize: 10)
            let read = try await transport.stream(request) { _, body in
                try await body.reduce(into: [UInt8]()) { $0 += $1 }
            }
            try expect(read == pattern(4 * 1_024 * 1_024), "a stream of 4 MiB arrived as \(read.count) bytes")
        },
        TransportCheck("a stream may last longer than the timeout while bytes arrive") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n")
                // This gate is never opened: each wait takes its whole time.
                for _ in 0..<12 {
                    Gate().wait(.milliseconds(400))
                    try exchange.write("a")
                }
            }
            let read = try await transport.stream(request(server.authority, timeout: .seconds(4))) { _, body in
                try await body.reduce(0) { $0 + $1.count }
            }
            try expect(read == 12, "a slow stream arrived as \(read) bytes")
        },
        TransportCheck("a stalled stream times out") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                try exchange.waitForEnd()
            }
            do {
                _ = try await transport.stream(request(server.authority, timeout: .milliseconds(300))) { _, body in
                    try await body.reduce(0) { $0 + $1.count }
                }
                throw ConformanceFailure("half a stream was treated as a whole one")
            } catch let fault as TransportError {
                try expect(fault.code == .timedOut, "a stalled stream is \(fault.code)")
            }
        },
        TransportCheck("a stream that ends early is never treated as a whole one") { transport in
            _ = try await halfStream(transport)
        },
        TransportCheck("a stream that ends early is reported as a closed connection") { transport in
            let fault = try await halfStream(transport)
            try expect(fault.code == .connectionClosed, "half a stream is \(fault.code)")
        },
        TransportCheck("a reader that leaves a stream early leaves at once, with its result or error") { transport in
            let server = try ScriptedServer { exchange in
                if exchange.request.target == "/after" { return try exchange.respond(body: Array("after".utf8)) }
                try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                try exchange.waitForEnd()
            }
            let status = try await transport.stream(request(server.authority)) { head, _ in head.status }
            try expect(status == .ok, "a reader that left early got \(status)")
            struct Enough: Error {}
            do {
                try await transport.stream(request(server.authority)) { _, body in
                    for try await _ in body { throw Enough() }
                }
                throw ConformanceFailure("the reader's error is lost")
            } catch is Enough {}
            let after = try await transport.send(request(server.authority, "/after"))
            try expect(after.body == Array("after".utf8), "the request after a stream that was left got \(after)")
        },
        TransportCheck("a stream that is left closes its connection") { transport in
            let ended = Gate()
            let server = try ScriptedServer { exchange in
                defer { ended.open() }
                try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                try exchange.waitForEnd()
            }
            _ = try await transport.stream(request(server.authority)) { head, _ in head.status }
            try await expect(ended.opens(within: timeout), "the connection of a stream that was left stays open")
        },
        TransportCheck("a reader that does not read holds back the server") { transport in
            let sent = Mutex(0)
            let full = Gate()
            let server = try ScriptedServer { exchange in
                let chunk = pattern(64 * 1_024)
                try exchange.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
                for _ in 0..<1_600 {
                    try exchange.write(chunk)
                    sent.withLock { $0 += chunk.count }
                }
                full.open()
                try exchange.hangUp()
            }
            let read = try await transport.stream(request(server.authority)) { _, body in
                // A server that is not held back would write all 100 MiB in this time.
                try await expect(
                    !full.opens(within: .seconds(3)),
                    "100 MiB were accepted from the server without a reader"
                )
                return try await body.reduce(0) { $0 + $1.count }
            }
            try expect(read == 1_600 * 64 * 1_024, "after a pause a stream arrived as \(read) bytes")
        },
    ]

    /// Returns the error of a stream whose connection ends in the middle.
    private static func halfStream(_ transport: any Transport) async throws -> TransportError {
        let server = try ScriptedServer { exchange in
            try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            try exchange.hangUp()
        }
        do {
            _ = try await transport.stream(request(server.authority)) { _, body in
                try await body.reduce(0) { $0 + $1.count }
            }
        } catch let fault as TransportError {
            return fault
        }
        throw ConformanceFailure("half a stream was treated as a whole one")
    }
}
