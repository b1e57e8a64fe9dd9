// SPDX-License-Identifier: Apache-2.0

/// A sign-in in progress.
///
/// It belongs to the session that created it.
public struct SignInTicket: Sendable {
    let signInEpoch: Int
    let isRemembered: Bool
    let found: Replaced
    /// The observation of the sign-in, which ends with it; nil if another call completes the sign-in.
    let observation: SignInObservation?

    /// Runs a part of the sign-in, and records its error.
    ///
    /// Run the whole sign-in within it, from the ticket to the end. Observers learn the first error's code or type. A
    /// sign-in that ends outside of it with an error counts as abandoned.
    ///
    /// - Throws: The errors of `work`, unchanged.
    public func observing<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            observation?.end(.init(error))
            throw error
        }
    }
}
