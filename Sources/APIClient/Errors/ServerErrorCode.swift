/// A server's own code for a fault, `role_conflict` for one.
///
/// An open set: servers make up their own.
public struct ServerErrorCode: RawRepresentable, Sendable, Hashable {
    /// The code as on the wire.
    public let rawValue: String

    /// Wraps a code.
    ///
    /// - Parameter rawValue: The code as on the wire.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
