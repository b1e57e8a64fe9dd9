public import HTTPTypes

/// One request as it goes out.
///
/// Printed or dumped it shows its method alone.
public struct TransportRequest: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method, scheme, authority, path and header fields.
    ///
    /// The path and the fields may hold secrets.
    public var head: HTTPRequest
    /// The body.
    public var body: RequestBody
    /// The longest wait for the whole answer.
    public var timeout: Duration
    /// The longest body that is read, in bytes.
    ///
    /// A longer one is an error, never a part.
    public var maximumResponseSize: Int

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - head: With scheme, authority and path.
    ///   - body: The body.
    ///   - timeout: The longest wait for the whole answer.
    ///   - maximumResponseSize: In bytes.
    public init(
        head: HTTPRequest,
        body: RequestBody = .none,
        timeout: Duration = .seconds(30),
        maximumResponseSize: Int = 8 * 1_024 * 1_024
    ) {
        self.head = head
        self.body = body
        self.timeout = timeout
        self.maximumResponseSize = maximumResponseSize
    }

    /// The method.
    public var description: String { "\(head.method.rawValue) <redacted>" }
    /// The method.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
