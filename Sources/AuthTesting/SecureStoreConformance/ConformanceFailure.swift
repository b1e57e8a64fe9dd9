/// A promise that a store or a transport did not keep.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// Which one, without any secret.
    public let message: String

    init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
