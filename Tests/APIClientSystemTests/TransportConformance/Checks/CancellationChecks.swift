// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import TestSupport

extension TransportConformance {
    static let cancellation: [TransportCheck] = [
        TransportCheck("a cancelled task sends nothing") { transport in
            let server = try ScriptedServer { try $0.respond() }
            let request = request(server.authority)
            let call = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await transport.send(request)
            }
            try await expectCancelled(call, "a call of a cancelled task")
            try expect(server.connectionCount == 0, "a cancelled task sent something")
        },
        TransportCheck("a task that is cancelled right after its start gets CancellationError or the response") {
            transport in
            let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
            for number in 0..<200 {
                let request = request(server.authority, method: .post, body: .bytes([1, 2, 3]))
                let call = Task { try await transport.send(request) }
                // Cancels after 0 to 19 yields.
                for _ in 0..<(number % 20) { await Task.yield() }
                call.cancel()
                do {
                    let response = try await call.value
                    try expect(response.body == [1, 2, 3], "a cancelled task got a wrong response: \(response)")
                } catch is CancellationError {}
            }
            let response = try await transport.send(request(server.authority, method: .post, body: .bytes([4])))
            try expect(response.body == [4], "after many cancellations the transport returned \(response)")
        },
        TransportCheck("cancellation ends the wait for a connection") { transport in
            let port = try DeafPort()
            let call = Task { try await transport.send(request("127.0.0.1:\(port.port)")) }
            for _ in 0..<20 { await Task.yield() }
            call.cancel()
            try await expectCancelled(call, "a call that waits for a connection")
        },
        TransportCheck("cancellation ends the wait for a request's body to begin") { transport in
            let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
            let gate = Gate()
            defer { gate.open() }
            let (beginnings, begins) = AsyncStream.makeStream(of: Void.self)
            let body = beginning(at: gate) { begins.yield() }
            let call = Task { try await transport.send(request(server.authority, method: .post, body: body)) }
            for await _ in beginnings { break }
            call.cancel()
            try await expectCancelled(call, "a call whose body does not begin")
        },
        TransportCheck("cancellation ends the wait for the head") { transport in
            let server = try ScriptedServer { try $0.waitForEnd() }
            let call = Task { try await transport.send(request(server.authority)) }
            for await _ in server.arrivals { break }
            call.cancel()
            try await expectCancelled(call, "a call that waits for the head")
        },
        TransportCheck("cancellation ends the wait for the body") { transport in
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                try exchange.waitForEnd()
            }
            let (heads, head) = AsyncStream.makeStream(of: Void.self)
            let call = Task {
                try await transport.stream(request(server.authority)) { _, body in
                    head.yield()
                    return try await body.reduce(0) { $0 + $1.count }
                }
            }
            for await _ in heads { break }
            call.cancel()
            try await expectCancelled(call, "a call that waits for the body")
        },
        TransportCheck("cancellation ends an upload") { transport in
            let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
            let (chunks, more) = AsyncStream.makeStream(of: [UInt8].self)
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            let body = RequestBody.restartable(length: 100) {
                ask.yield()
                return chunks
            }
            let call = Task { try await transport.send(request(server.authority, method: .post, body: body)) }
            for await _ in asked { break }
            more.yield([1])
            call.cancel()
            try await expectCancelled(call, "a call whose body is incomplete")
            more.finish()
        },
    ]

    private static func expectCancelled<Value: Sendable>(
        _ call: Task<Value, any Error>,
        _ context: String
    ) async throws {
        let start = ContinuousClock.now
        do {
            _ = try await call.value
            throw ConformanceFailure("\(context) was cancelled and got a response")
        } catch is CancellationError {}
        try expect(ContinuousClock.now - start < .seconds(20), "\(context) did not end when it was cancelled")
    }
}
