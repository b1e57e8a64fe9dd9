// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
internal import AuthCore

extension KeyringStore {
    /// The strength with which the keyring protects its items.
    ///
    /// ``StoreProtection/unencryptedKeyring`` if the file of gnome-keyring's default keyring is readable and
    /// unencrypted. Otherwise ``StoreProtection/keyring``, even if the keyring can't be reached now.
    public var protection: StoreProtection {
        get async {
            guard let folder = environment.keyringFolder else { return .keyring }
            let isInClear = try? await calls.make { keyring, deadline in
                guard let collection = try keyring.defaultCollection(before: deadline) else { return false }
                return KeyringFile.isInClear(collection, in: folder)
            }
            return isInClear == true ? .unencryptedKeyring : .keyring
        }
    }

    /// Examines the bus, the service and the default keyring, and probes the store with a value of its own.
    ///
    /// - Returns: The findings, and the remedy for a problem. Holds no secret.
    public func diagnose() async -> StoreDiagnosis {
        var diagnosis = StoreDiagnosis(protection: .keyring, location: environment.busAddress)
        var program: KeyringProgram?
        do {
            program = try await calls.program()
            diagnosis.provider = program?.name
            diagnosis.protection = await protection
            let (state, problem) = try await calls.make { keyring, deadline in
                var state = KeyringState(isTransferEncrypted: keyring.session.isEncrypted)
                do {
                    try keyring.look(before: deadline, into: &state)
                    return (state, SecureStoreError?.none)
                } catch let error as SecureStoreError {
                    return (state, error)
                } catch let fault as BusError where !fault.isStale {
                    return (state, fault.storeError)
                }
            }
            diagnosis.collection = state.collection.map { $0.label ?? $0.path.text }
            diagnosis.isLocked = state.isLocked
            diagnosis.isTransferEncrypted = state.isTransferEncrypted
            diagnosis.problem = problem
            if problem == nil { try await probe() }
        } catch let error as SecureStoreError {
            diagnosis.problem = error
        } catch {
            diagnosis.problem = SecureStoreError(.failed)
        }
        let mending = diagnosis.problem.flatMap {
            KeyringAdvice($0.code, program: program, sandbox: environment.sandbox)
        }
        (diagnosis.advice, diagnosis.command) = (mending?.advice, mending?.command)
        return diagnosis
    }
}

/// The state of a keyring service that replies.
private struct KeyringState {
    /// The path and the label of the keyring that new items go to.
    var collection: (path: ObjectPath, label: String?)?
    var isLocked: Bool?
    let isTransferEncrypted: Bool
}

extension SecretService {
    /// Examines the service step by step, and keeps the findings if a step fails.
    ///
    /// - Throws: The reason why the last step failed.
    fileprivate func look(before deadline: CallDeadline, into state: inout KeyringState) throws {
        guard let path = try defaultCollection(before: deadline) else { throw SecureStoreError(.noCollection) }
        // A provider need not have a label.
        let label = try? property("Label", of: Interface.collection, at: path, before: deadline).string
        state.collection = (path, label)
        let isLocked = try isLocked(path, before: deadline)
        state.isLocked = isLocked
        if isLocked { throw SecureStoreError(.locked) }
    }

    /// Returns the program that owns the service, to show it to the user; no decision depends on it.
    ///
    /// Only the bus is asked, so that a service that hangs is named too.
    ///
    /// - Returns: The program; nil if the system does not name it or its name must not be shown.
    /// - Throws: ``BusError`` if there is no service; ``SecureStoreError`` (`timedOut`).
    static func program(on bus: SessionBus, before deadline: CallDeadline) throws -> KeyringProgram? {
        let owner = try findOwner(on: bus, before: deadline)
        let method = "GetConnectionUnixProcessID"
        let reply = try ask(bus, method, [.string(owner)], reply: "(u)", before: deadline)
        guard let process = reply.uint32 else { throw BusError(unexpectedReplyOf: method) }
        return KeyringProgram(process: process)
    }
}

/// The remedy for a keyring that can't be used.
private struct KeyringAdvice {
    let advice: String
    let command: String?

    /// The command that starts or unlocks a keyring.
    ///
    /// It replaces a daemon that the bus has started meanwhile, because that one is locked. The password is typed
    /// unseen, and passed without the newline that would become part of it.
    private static let daemon =
        "read -rsp 'Password: ' P && printf %s \"$P\" | gnome-keyring-daemon --replace --unlock --components=secrets --daemonize"

    /// Chooses the advice for a problem; nil if there is no remedy to offer.
    ///
    /// - Parameters:
    ///   - code: The problem.
    ///   - program: The program that keeps the items, if known.
    ///   - sandbox: The sandbox between this program and the bus.
    init?(_ code: SecureStoreError.Code, program: KeyringProgram?, sandbox: Sandbox?) {
        let provider = program?.name
        let isGNOME = provider?.hasPrefix("gnome-keyring") ?? true
        switch code {
        case .locked where isGNOME:
            self.init("Unlock it in the desktop's password settings, or run this command.", Self.daemon)
        case .locked:
            self.init("Unlock it in \(provider ?? "the keyring").")
        case .noSessionBus, .remoteBus:
            self.init(
                "Run this in a desktop session, or in a shell with its own session bus.",
                "dbus-run-session -- bash"
            )
        case .noProvider:
            self.init("Install a keyring service, such as gnome-keyring, and start it.", Self.daemon)
        case .noCollection where isGNOME:
            self.init("Create the default keyring and set a password for it.", Self.daemon)
        case .noCollection:
            self.init("Create a default keyring in \(provider ?? "the keyring service").")
        case .timedOut where program == nil:
            self.init(
                "The session bus, or the keyring service that it starts, does not respond; start a new bus.",
                "dbus-run-session -- bash"
            )
        case .timedOut:
            self.init(
                "The keyring service hangs; end it, and it restarts.",
                program.map { "kill -KILL \($0.process)" }
            )
        case .denied:
            self.init("Run this as the session's user, without sudo.")
        case .sandboxed:
            self.init("Allow the sandbox to access the keyring.", sandbox?.command)
        case .full:
            self.init("Free some disk space for the home folder.", "df -h \"$HOME\"")
        default:
            return nil
        }
    }

    private init(_ advice: String, _ command: String? = nil) {
        self.advice = advice
        self.command = command
    }
}
#endif
