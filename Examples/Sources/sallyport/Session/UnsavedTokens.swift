// SPDX-License-Identifier: Apache-2.0

import AuthSession
import Synchronization

extension AuthSession {
    /// Saves tokens that could not be saved before, or throws.
    ///
    /// Every command that may have got new tokens calls it before it prints its result, so that a printed result means
    /// a saved session.
    func finish() async throws {
        if persistenceError != nil { try await flush() }
        if let failure = OpenSessions.unsaved.withLock({ $0 }) { throw failure }
    }
}

extension Failure {
    /// Creates the failure for new tokens that a store did not take.
    init(unsavedBecause error: AuthSessionError) {
        self.init(
            Failure(error)?.status ?? .storeUnavailable,
            "The new tokens could not be saved. \(error)",
            "Unlock the store, and run: sallyport refresh. If the server refuses, sign in again."
        )
    }
}
