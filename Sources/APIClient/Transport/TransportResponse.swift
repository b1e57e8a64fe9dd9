public import HTTPTypes

/// One answer as it came in.
///
/// All of it is the server's word.
public struct TransportResponse: Sendable {
    /// Status and header fields.
    public var head: HTTPResponse
    /// The whole body.
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
}
