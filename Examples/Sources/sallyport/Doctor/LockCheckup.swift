// SPDX-License-Identifier: Apache-2.0

import SecureStore

/// The check that no other process keeps the lock of the session.
struct LockCheckup {
    let scope: StoreScope

    /// The wait for the lock: longer than a refresh usually holds it.
    private static let timeout = Duration.seconds(3)

    func finding() async -> Finding {
        do {
            try await SessionLock(for: scope).withLock(timeout: Self.timeout) {}
            return Finding(subject: "Lock", sentence: "Free: no other process refreshes the session.")
        } catch let error as SecureStoreError where error.code == .busy {
            return Finding(
                subject: "Lock",
                sentence: "\(LockHolder.sentence(of: scope)) No other process can refresh the session.",
                advice: "If that process is suspended, resume or end it.",
                status: .unreachable
            )
        } catch {
            let failure = Failure(error) ?? Failure(.failed, "The lock can't be checked.", "Try again.")
            return Finding(
                subject: "Lock",
                sentence: failure.message,
                advice: FolderCheckup.problem(in: (error as? SecureStoreError)?.detail) == nil
                    ? "Check that only you can read and write the folder .local/state/sallyport/locks in your home."
                    : failure.advice,
                status: failure.status
            )
        }
    }
}
