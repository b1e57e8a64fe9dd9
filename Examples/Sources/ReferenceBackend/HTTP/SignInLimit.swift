// SPDX-License-Identifier: Apache-2.0

/// The number of sign-in attempts allowed in a length of time.
public struct SignInLimit: Sendable, Equatable {
    /// The number of attempts.
    public let attempts: Int
    /// The length of time.
    public let window: Duration

    /// Creates a limit.
    public init(attempts: Int, window: Duration) {
        self.attempts = attempts
        self.window = window
    }
}
