/// One request that a server got, and the way to answer it; for the thread of its connection.
package final class ServerExchange {
    /// Its head.
    package let request: ServerRequest
    private var connection: ServerConnection
    private var readBody: [UInt8]?

    init(_ request: ServerRequest, on connection: ServerConnection) {
        self.request = request
        self.connection = connection
    }

    /// Its body, read now where it was not yet.
    package func body() throws -> [UInt8] {
        if let readBody { return readBody }
        let body = try connection.body(of: request)
        readBody = body
        return body
    }

    /// Reads the request, and answers it.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: Header fields, one a line, beside the length.
    ///   - body: The body.
    /// - Throws: What the connection says.
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

    /// Says nothing until the client has ended the connection.
    package func waitForEnd() throws {
        try connection.waitForEnd()
        throw ServerConnection.Ended()
    }

    /// Ends the connection.
    package func hangUp() throws {
        throw ServerConnection.Ended()
    }

    func connectionAfterwards() throws -> ServerConnection {
        _ = try body()
        return connection
    }
}
