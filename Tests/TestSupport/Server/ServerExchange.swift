// SPDX-License-Identifier: Apache-2.0

/// One request to a server, with functions to respond; for the thread of its connection.
package final class ServerExchange {
    /// The request's head.
    package let request: ServerRequest
    private var connection: ServerConnection
    private var readBody: [UInt8]?

    init(_ request: ServerRequest, on connection: ServerConnection) {
        self.request = request
        self.connection = connection
    }

    /// Returns the request's body, and reads it first if necessary.
    package func body() throws -> [UInt8] {
        if let readBody { return readBody }
        let body = try connection.body(of: request)
        readBody = body
        return body
    }

    /// Reads the request's body, and responds.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - fields: The header fields, one a line, except the length.
    ///   - body: The body.
    /// - Throws: The error of the connection.
    package func respond(_ status: Int = 200, _ fields: [String] = [], body: [UInt8] = []) throws {
        _ = try self.body()
        try write("HTTP/1.1 \(status) Said\r\n")
        for field in fields + ["Content-Length: \(body.count)"] { try write("\(field)\r\n") }
        try write("\r\n")
        try write(body)
    }

    /// Writes text as it is.
    package func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes bytes as they are.
    package func write(_ bytes: [UInt8]) throws { try LoopbackSocket.deliver(bytes, to: connection.descriptor) }

    /// Waits without a response until the client has ended the connection.
    package func waitForEnd() throws {
        try connection.waitForEnd()
        throw ServerConnection.Ended()
    }

    /// Waits until the client can send no more, because the server reads nothing.
    package func waitUntilClientIsBlocked() { LoopbackSocket.waitUntilFull(connection.descriptor) }

    /// Ends the connection; what the client has sent and nobody has read resets it.
    package func hangUp() throws {
        throw ServerConnection.Ended()
    }

    func connectionAfterwards() throws -> ServerConnection {
        _ = try body()
        return connection
    }
}

/// The head of a request, as the server received it.
package struct ServerRequest: Sendable {
    /// A header field, as received.
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package let method: String
    /// The path and the query.
    package let target: String
    package let fields: [Field]

    /// Returns the values of all fields of a name, ignoring its case.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
