// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Glibc

/// A TCP connection to this machine that sends exactly the bytes of a test, as no HTTP client would.
///
/// Calls block a thread of their own, never a thread that tests run on.
final class RawConnection: Sendable {
    private let socket: RawSocket
    private let queue = DispatchQueue(label: "raw connection")

    private init(_ socket: RawSocket) {
        self.socket = socket
    }

    static func open(to port: Int, family: RawSocket.Family = .v4) throws -> RawConnection {
        let socket = try RawSocket(family)
        try socket.connect(to: port)
        return RawConnection(socket)
    }

    func send(_ text: String) async throws {
        try await run { try $0.send(Array(text.utf8)) }
    }

    /// Sends a text repeatedly, until the peer breaks the connection off or a number of bytes is sent.
    ///
    /// - Returns: The number of bytes that were sent.
    func send(_ text: String, upTo limit: Int) async throws -> Int {
        let bytes = Array(String(repeating: text, count: 65_536 / text.utf8.count).utf8)
        return try await run { socket in
            var sent = 0
            while sent < limit {
                guard (try? socket.send(bytes)) != nil else { break }
                sent += bytes.count
            }
            return sent
        }
    }

    /// Waits until the peer has sent data, and reads none of it.
    func waitUntilReadable() async throws {
        try await run { socket in
            guard try socket.isReadable(within: .seconds(40)) else { throw RawSocketError("no data arrived") }
        }
    }

    /// Ends the sending direction; the connection can still be read.
    func endSending() async throws {
        try await run { $0.endSending() }
    }

    /// Returns all data until the peer ends the connection.
    func rest() async throws -> String {
        try await run { socket in
            var bytes: [UInt8] = []
            while let more = try socket.receive(), !more.isEmpty { bytes += more }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Sends a byte repeatedly, with pauses, until the peer ends the connection.
    func drip(_ byte: Character, every pause: Duration) async throws {
        let bytes = Array(String(byte).utf8)
        try await run { socket in
            while try !socket.isReadable(within: pause) { try? socket.send(bytes) }
            while let more = try socket.receive(), !more.isEmpty {}
        }
    }

    /// Sends one request and reads the response to the end.
    static func rawResponse(to request: String, at port: Int, family: RawSocket.Family = .v4) async throws
        -> RawResponse
    {
        let connection = try open(to: port, family: family)
        try await connection.send(request)
        return try RawResponse(try await connection.rest())
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable (RawSocket) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [socket] in continuation.resume(with: Result { try work(socket) }) }
        }
    }
}
#endif
