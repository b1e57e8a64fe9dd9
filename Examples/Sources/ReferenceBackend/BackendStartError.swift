// SPDX-License-Identifier: Apache-2.0

/// An error that kept a backend from starting.
public struct BackendStartError: Error, Equatable, CustomStringConvertible {
    /// The reason, for a program.
    public enum Code: Sendable {
        /// Another program listens on the port.
        case portInUse
        /// The backend can't bind to the address.
        case addressUnavailable
        /// The database can't be opened or used.
        case databaseUnusable
        /// The settings for Sign in with Apple can't be used.
        case invalidAppleSettings
        /// The server ended before it listened.
        case endedEarly
    }

    /// The reason, for a program.
    public let code: Code
    /// The reason as one sentence.
    public let description: String
    /// The underlying error.
    public let underlying: (any Error)?

    init(_ code: Code, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }

    /// Returns whether two errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
