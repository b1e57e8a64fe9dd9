// SPDX-License-Identifier: Apache-2.0

/// An error that names a promise that a store broke.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// The broken promise, without any secret.
    public let message: String

    /// Creates a failure, for checks of your own.
    ///
    /// - Parameter message: The broken promise, without any secret.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
