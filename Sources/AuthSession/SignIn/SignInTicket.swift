// SPDX-License-Identifier: Apache-2.0

/// A sign-in in progress.
///
/// It belongs to the session that created it.
public struct SignInTicket: Sendable {
    let signInGeneration: Int
    let isRemembered: Bool
    let found: Replaced
    /// The measurement of the sign-in, which ends with it; nil if nothing is measured.
    let measurement: OperationMeasurement?

    /// Runs a part of the sign-in, and records its error.
    ///
    /// Run the whole sign-in within it, from the ticket to the end. Metrics and spans record the first error as the
    /// outcome, by its code or its type alone. A sign-in that ends outside of it with an error counts as abandoned.
    ///
    /// - Parameter work: The part of the sign-in.
    /// - Returns: The value of `work`.
    /// - Throws: The errors of `work`, unchanged.
    public func measuring<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            measurement?.fail(error)
            throw error
        }
    }
}
