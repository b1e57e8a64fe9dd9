#if os(Linux)
import Foundation
import Glibc

/// A TCP connection to this machine that says exactly the bytes a test gives it, as no HTTP client would.
///
/// Calls block a thread of their own, never one of those that tests run on.
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

    /// Sends a text again and again, until the other side breaks the connection off or so many bytes were sent.
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

    /// Waits until the other side has sent something, and reads nothing of it.
    func waitUntilReadable() async throws {
        try await run { socket in
            guard try socket.isReadable(within: .seconds(40)) else { throw RawSocketError("nothing came") }
        }
    }

    /// Says that nothing more will be sent, and goes on to read.
    func endSending() async throws {
        try await run { $0.endSending() }
    }

    /// Everything until the other side ends the connection.
    func rest() async throws -> String {
        try await run { socket in
            var bytes: [UInt8] = []
            while let more = try socket.receive(), !more.isEmpty { bytes += more }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Sends a byte, again and again with a pause, until the other side ends the connection.
    func drip(_ byte: Character, every pause: Duration) async throws {
        let bytes = Array(String(byte).utf8)
        try await run { socket in
            while try !socket.isReadable(within: pause) { try? socket.send(bytes) }
            while let more = try socket.receive(), !more.isEmpty {}
        }
    }

    /// Sends one request and reads the answer to the end.
    static func answer(to request: String, at port: Int, family: RawSocket.Family = .v4) async throws -> RawAnswer {
        let connection = try open(to: port, family: family)
        try await connection.send(request)
        return try RawAnswer(try await connection.rest())
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable (RawSocket) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [socket] in continuation.resume(with: Result { try work(socket) }) }
        }
    }
}
#endif
