/// What a request carries.
///
/// Printed or dumped it shows how long it is.
public struct RequestBody: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
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

    /// The length.
    public var description: String { bytes.map { "\($0.count) bytes" } ?? "no body" }
    /// The length.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
