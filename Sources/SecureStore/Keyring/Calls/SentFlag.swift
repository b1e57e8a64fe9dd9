// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
internal import Synchronization

/// A record that something was sent, for a retry that does not know whether it arrived.
final class SentFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}
#endif
