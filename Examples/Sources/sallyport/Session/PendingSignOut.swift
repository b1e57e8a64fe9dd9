// SPDX-License-Identifier: Apache-2.0

import SecureStore
import SessionStores
import Synchronization

/// A sign-out whose session could not be removed from its store yet, as the store remembers.
enum PendingSignOut {
    private static let stores = Mutex<[RecordedStore]>([])

    /// Watches a store that this command uses, for ``reportFinished()``.
    static func watch(_ store: RecordedStore) {
        stores.withLock { $0.append(store) }
    }

    /// Tells the user that an earlier sign-out is complete, if this command has finished one.
    static func reportFinished() {
        let places = Set(stores.withLock { $0 }.flatMap(\.finished)).sorted()
        guard !places.isEmpty else { return }
        Terminal.note(
            "The pending sign-out is complete: the session was removed from the \(places.joined(separator: ", "))."
        )
    }

    /// Checks that a sign-out has removed the session from its store.
    ///
    /// - Parameters:
    ///   - store: The store of the profile.
    ///   - reason: The error that makes the store unusable, if known.
    /// - Throws: ``Failure`` (`storeUnavailable`) if the removal is pending; `SecureStoreError` if the record of
    ///   pending removals can't be read.
    static func check(_ store: any SecureStore, because reason: SecureStoreError? = nil) throws {
        guard try (store as? RecordedStore)?.isPending == true else { return }
        let why = reason.map { "\($0) " } ?? ""
        throw Failure(
            .storeUnavailable,
            "Signed out here. \(why)The removal of the session is pending.",
            """
            Unlock the store, and run any command of this profile: it removes the session.
            If the server was not notified, its session expires by itself.
            """
        )
    }
}

extension SecureStoreError {
    /// Whether the store may become available later, as opposed to a wrong configuration.
    var mayComeBack: Bool {
        [.locked, .noSessionBus, .noProvider, .noCollection, .timedOut, .denied, .promptDismissed, .sandboxed]
            .contains(code)
    }
}
