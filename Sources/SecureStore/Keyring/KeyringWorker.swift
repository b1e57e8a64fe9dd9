// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import AuthCore
import CSecretService
import Synchronization

/// The calls to one keyring, made one after the other on one thread and one connection, each within a deadline.
final class KeyringWorker: Sendable {
    /// The session is kept between calls: opening one costs more than a read, and some daemons can't handle one per
    /// call.
    private let worker = BlockingWorker<SecretService?>(label: "sallyport.keyring", nil)
    private let environment: KeyringEnvironment
    private let deadline: Duration
    private let silence = Mutex(KeyringSilence())

    /// Describes a keyring; the first call connects to it.
    init(_ environment: KeyringEnvironment, deadline: Duration) {
        (self.environment, self.deadline) = (environment, deadline)
    }

    /// Makes calls, and returns to the caller at the deadline or when its task is cancelled.
    ///
    /// - Parameter work: The calls, with a function as of ``BlockingWorker``. May run twice: it begins with a search for
    ///   the present items.
    /// - Throws: The errors of the work; ``SecureStoreError``; `CancellationError`.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (KeyringItems, _ mayWait: () throws -> Bool) throws -> Value
    ) async throws -> Value {
        let start = SuspendingClock().now
        let timeout = silence.withLock { $0.timeout(upTo: deadline, at: start) }
        let end = CallDeadline(in: timeout)
        do {
            let value = try await worker.run(atMost: timeout, onAbandon: end.cancel) {
                [environment] connected, mayWait in
                try environment.inSandbox {
                    try Self.attempt({ try work($0, mayWait) }, &connected, environment, before: end)
                }
            }
            silence.withLock { $0.end() }
            return value
        } catch let error as SecureStoreError {
            switch error.code {
            case .timedOut: silence.withLock { $0.begin(at: start, deadline) }
            // The call waited for another process, perhaps because the keyring held that process up.
            case .busy: break
            default: silence.withLock { $0.end() }
            }
            throw error
        }
    }

    /// Runs work, and runs it once more on a new connection if the bus or the daemon has been restarted.
    private static func attempt<Value>(
        _ work: (KeyringItems) throws -> Value,
        _ connected: inout SecretService?,
        _ environment: KeyringEnvironment,
        before end: CallDeadline,
        isRepeated: Bool = false
    ) throws -> Value {
        do {
            let service = try connected ?? SecretService(on: environment.connect(before: end), before: end)
            connected = service
            return try work(KeyringItems(keyring: service, deadline: end, isRepeated: isRepeated))
        } catch let fault as BusError {
            if fault.isStale { connected = nil }
            guard fault.isStale, !isRepeated else { throw fault.storeError }
            return try attempt(work, &connected, environment, before: end, isRepeated: true)
        }
    }
}

/// The silence of a keyring that does not reply, in which calls have less time, so that a command of several ends soon.
///
/// A keyring that has recovered replies within a second, and is used again at once. A slow one gets its whole deadline
/// again after six deadlines.
struct KeyringSilence {
    private var beginning: SuspendingClock.Instant?

    /// Returns the time for a call.
    func timeout(upTo deadline: Duration, at now: SuspendingClock.Instant) -> Duration {
        isLasting(at: now, deadline) ? min(deadline, .seconds(1)) : deadline
    }

    /// Records that a call got no reply; `start` is when it began.
    mutating func begin(at start: SuspendingClock.Instant, _ deadline: Duration) {
        if !isLasting(at: start, deadline) { beginning = start }
    }

    /// Records a reply.
    mutating func end() { beginning = nil }

    private func isLasting(at now: SuspendingClock.Instant, _ deadline: Duration) -> Bool {
        beginning.map { $0.duration(to: now) < deadline * 6 } ?? false
    }
}

/// The deadline of a call, and the means to end the call earlier.
///
/// Its clock stops while the machine sleeps, as GLib's does: closing the lid during a call causes no timeout.
///
/// `@unchecked Sendable`: the properties never change, this object owns one reference to the `GCancellable` for its
/// whole life, and GIO documents `g_cancellable_cancel` and `g_cancellable_is_cancelled` as callable from any thread.
@safe
final class CallDeadline: @unchecked Sendable {
    private let end: SuspendingClock.Instant
    /// Ends the GIO calls that use it.
    let cancellable: UnsafeMutablePointer<GCancellable>

    init(in duration: Duration) {
        end = SuspendingClock().now.advanced(by: duration)
        unsafe cancellable = g_cancellable_new()
    }

    deinit {
        unsafe g_object_unref(cancellable)
    }

    /// Ends the wait for a reply, and so dismisses no prompt.
    func cancel() {
        unsafe g_cancellable_cancel(cancellable)
    }

    /// Returns the time left for the next step.
    ///
    /// - Returns: Milliseconds, at least 1.
    /// - Throws: ``SecureStoreError`` (`timedOut`) if no time is left or the caller no longer waits.
    func remainingMilliseconds() throws(SecureStoreError) -> Int32 {
        let left = SuspendingClock().now.duration(to: end)
        guard left > .zero, unsafe g_cancellable_is_cancelled(cancellable) == 0 else {
            throw SecureStoreError(.timedOut)
        }
        return Int32(max(1, min(left / .milliseconds(1), Double(Int32.max - 1))))
    }
}
#endif
