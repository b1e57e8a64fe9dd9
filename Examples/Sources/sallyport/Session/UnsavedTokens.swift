// SPDX-License-Identifier: Apache-2.0

import AuthSession

extension AuthSession {
    /// Saves tokens that could not be saved before, or throws.
    ///
    /// Every command that may have got new tokens calls it before it prints its result, so that a printed result means
    /// a saved session.
    func finish() async throws {
        if persistenceError != nil { try await settle() }
    }

    /// Waits for refreshes in progress, and saves unsaved tokens.
    ///
    /// - Throws: ``Failure``, which says that the new tokens are not saved; `CancellationError`.
    func settle() async throws {
        do {
            try await flush()
        } catch let error as AuthSessionError where error.code == .storeUnavailable {
            throw Failure(
                Failure(error)?.status ?? .storeUnavailable,
                "The new tokens could not be saved. \(error)",
                "Unlock the store, and run: sallyport refresh. If the server refuses, sign in again."
            )
        }
    }
}
