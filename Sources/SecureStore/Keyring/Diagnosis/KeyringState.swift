#if Keyring && canImport(CSecretService)
/// What can be seen of a keyring service that answers.
struct KeyringState {
    /// The path of the keyring that new items go to, and its label.
    var collection: (path: ObjectPath, label: String?)?
    var isLocked: Bool?
}

extension SecretService {
    /// Looks at the service, one question after the other, and keeps what was learnt where one fails.
    ///
    /// - Throws: Why the last question was not answered.
    func look(before deadline: CallDeadline, into state: inout KeyringState) throws {
        guard let path = try defaultCollection(before: deadline) else { throw SecureStoreError(.noCollection) }
        // A provider need not have a label.
        let label = try? property("Label", of: Interface.collection, at: path, before: deadline).string
        state.collection = (path, label)
        let isLocked = try isLocked(path, before: deadline)
        state.isLocked = isLocked
        if isLocked { throw SecureStoreError(.locked) }
    }

    /// The program that owns the service, for the person: nothing is decided by it.
    ///
    /// Only the bus is asked, so that a service that hangs has a name too.
    ///
    /// - Returns: The program; nil where the system does not say, or its name is none to be shown.
    /// - Throws: ``BusFault`` where there is no service; ``SecureStoreError`` (`timedOut`).
    static func program(on bus: SessionBus, before deadline: CallDeadline) throws -> KeyringProgram? {
        let owner = try findOwner(on: bus, before: deadline)
        let method = "GetConnectionUnixProcessID"
        let reply = try ask(bus, method, [.string(owner)], reply: "(u)", before: deadline)
        guard let process = reply.uint32 else { throw BusFault(unexpectedReplyOf: method) }
        return KeyringProgram(process: process)
    }
}
#endif
