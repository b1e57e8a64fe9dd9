public import HTTPTypes

/// One request as it goes out.
public struct TransportRequest: Sendable {
    /// Method, scheme, authority, path and header fields.
    ///
    /// The fields may hold secrets.
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
}

/// What a request carries.
public struct RequestBody: Sendable {
    /// The bytes; nil where there is no body.
    ///
    /// May hold secrets.
    public let bytes: [UInt8]?

    /// No body.
    public static let none = RequestBody(bytes: nil)

    /// A body that is in memory and can be sent any number of times.
    ///
    /// - Parameter bytes: The body.
    /// - Returns: The body.
    public static func bytes(_ bytes: [UInt8]) -> RequestBody { RequestBody(bytes: bytes) }
}
