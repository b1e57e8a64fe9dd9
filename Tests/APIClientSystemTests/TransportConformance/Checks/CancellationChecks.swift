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
                let request = request(server.authority, method: .post, body: [1, 2, 3])
                let call = Task { try await transport.send(request) }
                // Cancels after 0 to 19 yields.
                for _ in 0..<(number % 20) { await Task.yield() }
                call.cancel()
                do {
                    let response = try await call.value
                    try expect(response.body == [1, 2, 3], "a cancelled task got a wrong response: \(response)")
                } catch is CancellationError {}
            }
            let response = try await transport.send(request(server.authority, method: .post, body: [4]))
            try expect(response.body == [4], "after many cancellations the transport returned \(response)")
        },
        TransportCheck("cancellation ends the wait for a connection") { transport in
            let port = try DeafPort()
            let call = Task { try await transport.send(request("127.0.0.1:\(port.port)")) }
            for _ in 0..<20 { await Task.yield() }
            call.cancel()
            try await expectCancelled(call, "a call that waits for a connection")
        },
        TransportCheck("cancellation ends the wait for the head") { transport in
            let server = try ScriptedServer { try $0.waitForEnd() }
            let call = Task { try await transport.send(request(server.authority)) }
            for await _ in server.arrivals { break }
            call.cancel()
            try await expectCancelled(call, "a call that waits for the head")
        },
        TransportCheck("cancellation ends the wait for the body") { transport in
            let (halves, half) = AsyncStream.makeStream(of: Void.self)
            let server = try ScriptedServer { exchange in
                try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                half.yield()
                try exchange.waitForEnd()
            }
            let call = Task { try await transport.send(request(server.authority)) }
            for await _ in halves { break }
            call.cancel()
            try await expectCancelled(call, "a call that waits for the body")
        },
        TransportCheck("cancellation ends an upload, and closes its connection") { transport in
            let (started, ended) = (Gate(), Gate())
            let server = try ScriptedServer { exchange in
                defer { ended.open() }
                // Nothing of the body is read until the call was cancelled.
                started.wait()
                _ = try exchange.body()
            }
            let body = [UInt8](repeating: 7, count: 50_000_000)
            let call = Task { try await transport.send(request(server.authority, method: .post, body: body)) }
            for await _ in server.arrivals { break }
            call.cancel()
            try await expectCancelled(call, "a call whose body is incomplete")
            started.open()
            try await expect(ended.opens(within: timeout), "the connection of a cancelled call stays open")
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
