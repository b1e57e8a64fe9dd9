// SPDX-License-Identifier: Apache-2.0

/// One connection of a server, as a stream of bytes.
struct ServerConnection {
    /// The end of a connection, after an invalid request or at the check's request.
    struct Ended: Error {}

    let descriptor: Int32
    private var received: [UInt8] = []

    private static let maximumHeadSize = 1_024 * 1_024

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Reads the next request's head; nil if the peer has ended the connection.
    mutating func nextRequest() throws -> ServerRequest? {
        guard let line = try self.line() else { return nil }
        let parts = line.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        // The start of a TLS handshake may have as many parts.
        guard parts.count == 3, parts[2].hasPrefix("HTTP/") else { throw Ended() }
        var fields: [ServerRequest.Field] = []
        while true {
            // A connection that ends within a head has sent no request.
            guard let line = try self.line() else { throw Ended() }
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: ":") else { throw Ended() }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append(ServerRequest.Field(name: String(line[..<colon]), value: String(value)))
        }
        return ServerRequest(method: parts[0], target: parts[1], fields: fields)
    }

    /// Reads the body of a request.
    mutating func body(of request: ServerRequest) throws -> [UInt8] {
        if let length = request.values("Content-Length").first.flatMap({ Int($0) }) { return try bytes(length) }
        guard request.values("Transfer-Encoding") == ["chunked"] else { return [] }
        var body: [UInt8] = []
        while let line = try self.line(), let size = Int(line.prefix { $0 != ";" }, radix: 16) {
            body += try bytes(size)
            guard try self.line() == "" else { throw Ended() }
            if size == 0 { return body }
        }
        throw Ended()
    }

    /// Reads and discards bytes until the peer has ended the connection.
    mutating func waitForEnd() throws {
        received = []
        while try !LoopbackSocket.receive(descriptor, atMost: 65_536).isEmpty {}
    }

    private mutating func line() throws -> String? {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: 0x0A) {
                let line = received[..<end]
                received.removeFirst(end + 1)
                return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            }
            searched = received.count
            guard searched < Self.maximumHeadSize else { throw Ended() }
            let more = try LoopbackSocket.receive(descriptor, atMost: 65_536)
            if more.isEmpty { return nil }
            received += more
        }
    }

    private mutating func bytes(_ count: Int) throws -> [UInt8] {
        while received.count < count {
            let more = try LoopbackSocket.receive(descriptor, atMost: 262_144)
            guard !more.isEmpty else { throw Ended() }
            received += more
        }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }
}
