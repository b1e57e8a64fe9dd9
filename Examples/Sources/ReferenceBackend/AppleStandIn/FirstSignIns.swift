// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The users that have signed in to each client, by their subject.
///
/// Apple sends the name in the response of a user's first sign-in alone. In memory: a restart forgets, as if each user
/// had stopped using the app with their Apple Account.
final class FirstSignIns: Sendable {
    private struct SignIn: Hashable {
        let client: String
        let subject: String
    }

    private let known = Mutex<Set<SignIn>>([])
    private static let capacity = 10_000

    /// Returns whether this is the first sign-in of a user to a client.
    func isFirst(_ subject: String, at client: String) -> Bool {
        known.withLock { known in
            if known.count >= Self.capacity { known.removeAll() }
            return known.insert(SignIn(client: client, subject: subject)).inserted
        }
    }
}
