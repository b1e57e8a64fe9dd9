// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
internal import Synchronization

/// The silence of keyrings that don't reply, known to all stores of this process on the same bus.
///
/// A command calls its store several times. The first call without a reply takes its whole deadline. The calls that
/// follow share two fifths of a deadline. After that each call has a fiftieth of it. A working keyring replies within
/// that time, so a keyring that has recovered is used again at once. A reply ends the silence, and so does time: after
/// six deadlines a call waits as long as the first one did.
final class KeyringBackoff: Sendable {
    /// The record that the process's stores share: a bus's silence depends on no store.
    static let ofProcess = KeyringBackoff()

    /// The start of the first call without a reply, for each bus.
    private let beginnings = Mutex<[String: SuspendingClock.Instant]>([:])

    private static let minimumTimeout = Duration.milliseconds(100)

    /// Returns the time that a call may wait for the keyring of a bus.
    ///
    /// - Parameters:
    ///   - bus: The bus's address.
    ///   - deadline: The deadline of a call while the keyring replies.
    ///   - now: The start of the call.
    /// - Returns: The time limit of the call.
    func timeout(for bus: String, upTo deadline: Duration, at now: SuspendingClock.Instant) -> Duration {
        guard let begun = beginnings.withLock({ Self.lasting($0[bus], deadline, now) }) else { return deadline }
        let left = deadline * 1.4 - begun.duration(to: now)
        return min(deadline, max(left, deadline / 50, Self.minimumTimeout))
    }

    /// Records that a call got no reply before its deadline.
    ///
    /// - Parameters:
    ///   - bus: The bus's address.
    ///   - deadline: The deadline of a call while the keyring replies.
    ///   - start: The start of the call.
    func noteTimeout(of bus: String, _ deadline: Duration, since start: SuspendingClock.Instant) {
        beginnings.withLock { beginnings in
            let known = Self.lasting(beginnings[bus], deadline, start)
            beginnings[bus] = min(known ?? start, start)
        }
    }

    /// Records that the keyring of a bus has replied.
    func noteResponse(of bus: String) {
        beginnings.withLock { $0[bus] = nil }
    }

    /// Returns the beginning of a silence; nil if there is no silence or it has expired.
    private static func lasting(
        _ begun: SuspendingClock.Instant?,
        _ deadline: Duration,
        _ now: SuspendingClock.Instant
    ) -> SuspendingClock.Instant? {
        guard let begun, begun.duration(to: now) < deadline * 6 else { return nil }
        return begun
    }
}
#endif
