public import HTTPTypes

/// One answer as it came in.
///
/// All of it is the server's word. Printed or dumped it shows its status and its length.
public struct TransportResponse: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status and header fields.
    ///
    /// May hold secrets.
    public var head: HTTPResponse
    /// The whole body.
    ///
    /// May hold secrets.
    public var body: [UInt8]

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - head: Status and header fields.
    ///   - body: The whole body.
    public init(head: HTTPResponse, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// The status and the length.
    public var description: String { "\(head.status.code), \(body.count) bytes" }
    /// The status and the length.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
