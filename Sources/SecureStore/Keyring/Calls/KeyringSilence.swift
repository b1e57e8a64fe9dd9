#if Keyring && canImport(CSecretService)
internal import Synchronization

/// The silence of a keyring that does not answer, known to all stores of this process that use the same bus.
///
/// A command asks its store several times. The first call that gets no answer takes its whole deadline; all that follow
/// share two fifths of it. After that each call has a fiftieth, in which a keyring that works answers, so that one that
/// has recovered is used again at once. An answer ends the silence, and so does time: after six deadlines a call waits
/// as long as the first one did.
final class KeyringSilence: Sendable {
    /// Shared by the process: whether a bus answers depends on no store.
    static let ofProcess = KeyringSilence()

    /// Where the first call without an answer began, for each bus.
    private let beginnings = Mutex<[String: SuspendingClock.Instant]>([:])

    private static let leastPatience = Duration.milliseconds(100)

    /// Returns how long a call may wait for the keyring of a bus.
    ///
    /// - Parameters:
    ///   - bus: The bus's address.
    ///   - deadline: The deadline of a call while the keyring answers.
    ///   - now: When the call begins.
    /// - Returns: The time that it has.
    func patience(for bus: String, upTo deadline: Duration, at now: SuspendingClock.Instant) -> Duration {
        guard let begun = beginning(of: bus, deadline, now) else { return deadline }
        let left = deadline * 1.4 - begun.duration(to: now)
        return min(deadline, max(left, deadline / 50, Self.leastPatience))
    }

    /// Notes that a call got no answer before its deadline.
    ///
    /// - Parameters:
    ///   - bus: The bus's address.
    ///   - deadline: The deadline of a call while the keyring answers.
    ///   - start: When the call began.
    func noteTimeout(of bus: String, _ deadline: Duration, since start: SuspendingClock.Instant) {
        let known = beginning(of: bus, deadline, start)
        beginnings.withLock { $0[bus] = min(known ?? start, start) }
    }

    /// Notes that the keyring of a bus has answered.
    func noteAnswer(of bus: String) {
        beginnings.withLock { $0[bus] = nil }
    }

    private func beginning(
        of bus: String,
        _ deadline: Duration,
        _ now: SuspendingClock.Instant
    ) -> SuspendingClock.Instant? {
        guard let begun = beginnings.withLock({ $0[bus] }) else { return nil }
        return begun.duration(to: now) < deadline * 6 ? begun : nil
    }
}
#endif
