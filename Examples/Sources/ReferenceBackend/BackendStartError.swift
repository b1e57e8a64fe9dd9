/// Why a backend could not start.
public struct BackendStartError: Error, Equatable, CustomStringConvertible {
    /// The reason, for a program.
    public enum Code: Sendable {
        /// Another program listens on the port.
        case portInUse
        /// The address can't be bound to.
        case addressUnavailable
        /// The database can't be opened or is of no use.
        case databaseUnusable
        /// The server ended before it listened.
        case endedEarly
    }

    /// The reason, for a program.
    public let code: Code
    /// The reason as one sentence.
    public let description: String
    /// The error beneath.
    public let underlying: (any Error)?

    init(_ code: Code, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }

    /// Errors are equal when their codes are.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
