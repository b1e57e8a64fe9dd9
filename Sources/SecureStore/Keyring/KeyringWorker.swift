// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import AuthCore
import CSecretService
import Synchronization

/// The calls to one keyring, made one after the other on one thread and one connection, each within a deadline.
final class KeyringWorker: Sendable {
    /// The session is kept between calls: opening one costs more than a read, and some daemons can't handle one per
    /// call.
    private let worker = BlockingWorker<SecretSession?>(label: "sallyport.keyring", nil)
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
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (KeyringItems, _ mayWait: () throws -> Bool) throws -> Value
    ) async throws -> Value {
        let start = SuspendingClock().now
        let timeout = silence.withLock { $0.timeout(upTo: deadline, at: start) }
        let end = CallDeadline(in: timeout)
        do {
            let value = try await worker.run(atMost: timeout, onAbandon: end.cancel) {
                [environment] connected, mayWait in
                try Self.attempt({ try work($0, mayWait) }, &connected, environment, before: end)
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
            let isOfSandbox = environment.isSandboxed && [.noProvider, .denied].contains(error.code)
            throw isOfSandbox ? SecureStoreError(.sandboxed, detail: error.detail) : error
        }
    }

    /// Runs work, and runs it once more, after the fault `lost`, if the bus or the daemon has been restarted.
    private static func attempt<Value>(
        _ work: (KeyringItems) throws -> Value,
        _ connected: inout SecretSession?,
        _ environment: KeyringEnvironment,
        before end: CallDeadline,
        after lost: BusError? = nil
    ) throws -> Value {
        do {
            let session = try connected ?? SecretSession(on: environment.connect(before: end), before: end)
            connected = session
            let keyring = SecretService(session: session, deadline: end)
            return try work(KeyringItems(keyring: keyring, mayHaveWritten: lost?.mayHaveWritten ?? false))
        } catch let fault as BusError {
            if fault.isStale { connected = nil }
            guard fault.isStale, lost == nil else { throw fault.storeError }
            do {
                return try attempt(work, &connected, environment, before: end, after: fault)
            } catch let error as SecureStoreError
                where fault.mayHaveWritten && (!error.isOutcomeUnknown || environment.isSandboxed)
            {
                // For example `locked` or, in a sandbox, `sandboxed`, which would say that nothing was written.
                throw SecureStoreError(.timedOut, detail: error.detail)
            }
        }
    }
}

/// The silence of a keyring that does not reply, in which calls have less time, so that a command of several ends soon.
///
/// A keyring that has recovered replies within a second, and is used again at once. A slow one gets its whole deadline
/// again after six deadlines.
struct KeyringSilence {
    private var latestEnd: SuspendingClock.Instant?

    /// Returns the time for a call.
    func timeout(upTo deadline: Duration, at now: SuspendingClock.Instant) -> Duration {
        latestEnd.map { now < $0 } == true ? min(deadline, .seconds(1)) : deadline
    }

    /// Records that a call got no reply; `start` is when it began.
    mutating func begin(at start: SuspendingClock.Instant, _ deadline: Duration) {
        if latestEnd.map({ start < $0 }) != true { latestEnd = start.advanced(by: deadline * 6) }
    }

    /// Records a reply.
    mutating func end() { latestEnd = nil }
}

/// The part of the process's environment that a keyring store reads once, when it is created.
package struct KeyringEnvironment: Sendable {
    /// The session bus's address; nil if the environment names no bus.
    package var busAddress: String?
    /// Whether the app named the bus itself, so that its address need not be a local socket.
    private var isBusNamed = false
    /// Whether this process runs in a sandbox (Flatpak, Snap), which hides or refuses the keyring without saying so.
    package var isSandboxed = false

    /// Creates an environment, for tests.
    package init(busAddress: String, isSandboxed: Bool = false) {
        (self.busAddress, self.isSandboxed) = (busAddress, isSandboxed)
    }

    /// Reads the environment of this process, whose bus the app may name itself.
    ///
    /// Ignores libsecret's own variables (`SECRET_SERVICE_BUS_NAME`, `SECRET_BACKEND`). They are for its tests, and
    /// would let an environment redirect the user's secrets.
    init(ofProcessOnBus named: String?) {
        busAddress = named ?? Self.variable("DBUS_SESSION_BUS_ADDRESS") ?? Self.runtimeBus
        isBusNamed = named != nil
        isSandboxed = UserFolder.isInFlatpak || UserFolder.isInSnap()
    }

    /// Connects to the bus, which must be this user's on this machine unless the app named it.
    ///
    /// - Throws: ``SecureStoreError`` (`noSessionBus` if the environment names no bus on this machine, or the bus
    ///   can't be reached; `denied` if it is another user's; `timedOut`).
    func connect(before deadline: CallDeadline) throws(SecureStoreError) -> SessionBus {
        guard let busAddress else { throw SecureStoreError(.noSessionBus) }
        // D-Bus knows transports that lead to another machine or start a program, for example `tcp` and `unixexec`. An
        // address may list several transports, of which the first that works is used.
        let transports = busAddress.split(separator: ";", omittingEmptySubsequences: false)
        guard isBusNamed || transports.allSatisfy({ $0.hasPrefix("unix:") }) else {
            throw SecureStoreError(.noSessionBus, detail: "not a local socket")
        }
        let bus = try SessionBus(address: busAddress, deadline: deadline)
        guard isBusNamed || bus.isOwn else { throw SecureStoreError(.denied, detail: "a session bus of another user") }
        return bus
    }

    private static var runtimeBus: String? {
        guard let folder = variable("XDG_RUNTIME_DIR"), let escaped = unsafe g_dbus_address_escape_value(folder) else {
            return nil
        }
        defer { unsafe g_free(escaped) }
        return unsafe "unix:path=\(String(cString: escaped))/bus"
    }

    private static func variable(_ name: String) -> String? {
        unsafe g_getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
#endif
