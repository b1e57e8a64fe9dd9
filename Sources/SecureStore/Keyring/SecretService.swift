// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import AuthCore

/// The Secret Service on one bus connection, method for method, with one session for all calls.
///
/// Calls go to the process that owned the name when the session was opened, not to the name. After a restart of the
/// daemon, calls fail and are repeated on a new session. So no secret goes to a session of another process.
///
/// [Secret Service API, draft 0.2](https://specifications.freedesktop.org/secret-service-spec/latest/).
final class SecretService {
    private enum Interface {
        static let service = "org.freedesktop.Secret.Service"
        static let collection = Lockable.collection.rawValue
        static let item = Lockable.item.rawValue
        static let properties = "org.freedesktop.DBus.Properties"
        static let bus = "org.freedesktop.DBus"
    }

    private static let name = "org.freedesktop.secrets"
    static let path = ObjectPath("/org/freedesktop/secrets")

    let bus: SessionBus
    let owner: String
    private let session: SecretSession
    /// The bus's ID, which never changes on a connection.
    private var knownBusID: String?

    /// Finds the service, starting it if the bus can, and opens a session.
    ///
    /// Shows no prompt.
    ///
    /// - Throws: ``SecureStoreError`` (`noProvider`), and the errors of a call.
    init(on bus: SessionBus, before deadline: CallDeadline) throws {
        self.bus = bus
        do {
            owner = try Self.findOwner(on: bus, before: deadline)
        } catch let fault as BusError where fault.kind == .goneProvider {
            // Not a stale connection: there is no service, and another connection would not find one either.
            throw fault.storeError
        }
        session = try SecretSession(with: owner, on: bus, before: deadline)
    }

    /// Returns the owner of the name; asks the bus to start the service if the name has no owner.
    ///
    /// In this order: a bus refuses to start a service that has no service file, even if the service runs.
    private static func findOwner(on bus: SessionBus, before deadline: CallDeadline) throws -> String {
        func owner() throws -> String {
            let reply = try ask(bus, "GetNameOwner", [.string(name)], reply: "(s)", before: deadline)
            guard let owner = reply.string else { throw BusError(unexpectedReplyOf: "GetNameOwner") }
            return owner
        }
        do {
            return try owner()
        } catch let fault as BusError where fault.kind == .goneProvider {
            _ = try ask(bus, "StartServiceByName", [.string(name), .uint32(0)], reply: "(u)", before: deadline)
            return try owner()
        }
    }

    /// Returns the bus's ID, which is the same for all its clients, however they spell its address.
    ///
    /// - Returns: The ID; nil if the bus does not reveal it, for example behind a filter.
    /// - Throws: The errors of a call.
    func busID(before deadline: CallDeadline) throws -> String? {
        if let knownBusID { return knownBusID }
        do {
            knownBusID = try Self.ask(bus, "GetId", [], reply: "(s)", before: deadline).string
        } catch let fault as BusError where !fault.isStale && fault.kind != .timedOut {
            return nil
        }
        return knownBusID
    }

    /// Calls a method of the bus itself.
    private static func ask(
        _ bus: SessionBus,
        _ method: String,
        _ arguments: [Variant],
        reply: String,
        before deadline: CallDeadline
    ) throws -> Variant {
        let method = SessionBus.Method(interface: Interface.bus, name: method, reply: reply)
        let path = ObjectPath("/org/freedesktop/DBus")
        guard let response = try bus.call(method, of: Interface.bus, at: path, arguments, before: deadline).first else {
            throw BusError(unexpectedReplyOf: method.name)
        }
        return response
    }

    // MARK: Finding

    /// The paths of found items.
    struct Paths {
        var unlocked: [ObjectPath]
        var locked: [ObjectPath]
    }

    /// Searches all collections for items that have at least these attributes.
    func searchItems(_ attributes: [String: String], before deadline: CallDeadline) throws -> Paths {
        let search = SessionBus.Method(interface: Interface.service, name: "SearchItems", reply: "(aoao)")
        let reply = try call(search, at: Self.path, [.dictionary(attributes)], before: deadline)
        guard let unlocked = reply.first, let locked = reply.last else {
            throw BusError(unexpectedReplyOf: search.name)
        }
        return Paths(
            unlocked: unlocked.children.compactMap(\.objectPath),
            locked: locked.children.compactMap(\.objectPath)
        )
    }

    /// Returns the collection that new items go to, or nil if there is no such collection.
    func defaultCollection(before deadline: CallDeadline) throws -> ObjectPath? {
        let read = SessionBus.Method(interface: Interface.service, name: "ReadAlias", reply: "(o)")
        let reply = try call(read, at: Self.path, [.string("default")], before: deadline)
        guard let path = reply.first?.objectPath else { throw BusError(unexpectedReplyOf: read.name) }
        return path.isNone ? nil : path
    }

    /// Reads the list of all collections, never from a cache.
    func collections(before deadline: CallDeadline) throws -> [ObjectPath] {
        let value = try property("Collections", of: Interface.service, at: Self.path, before: deadline)
        guard value.isOf(type: "ao") else { throw BusError(unexpectedReplyOf: "Collections") }
        return value.children.compactMap(\.objectPath)
    }

    /// The kinds of objects that can be locked.
    enum Lockable: String {
        case collection = "org.freedesktop.Secret.Collection"
        case item = "org.freedesktop.Secret.Item"
    }

    /// Reads whether a collection, or an item, is locked, never from a cache.
    func isLocked(
        _ object: ObjectPath,
        _ kind: Lockable = .collection,
        before deadline: CallDeadline
    ) throws -> Bool {
        let value = try property("Locked", of: kind.rawValue, at: object, before: deadline)
        guard let locked = value.bool else { throw BusError(unexpectedReplyOf: "Locked") }
        return locked
    }

    /// Reads the properties of items, all at once and never from a cache.
    func describe(_ items: [ObjectPath], before deadline: CallDeadline) throws -> [KeyringItem] {
        let replies = try bus.call(items.map(description), before: deadline)
        return try zip(items, replies).map { try KeyringItem($0, properties: $1.get()) }
    }

    // MARK: Secrets

    /// Reads an item's attributes and its secret, both at once.
    func read(
        _ item: ObjectPath,
        before deadline: CallDeadline
    ) throws -> (attributes: [KeyringItem.Attribute], secret: SecretBytes) {
        let attributes = propertyRequest("Attributes", of: Interface.item, at: item)
        let replies = try bus.call([attributes, secretRequest(of: item)], before: deadline)
        guard replies.count == 2, let found = try replies[0].get().first?.boxed?.attributes else {
            throw BusError(unexpectedReplyOf: "Attributes")
        }
        return (found, try secret(in: replies[1].get()))
    }

    /// Reads an item's secret.
    func secret(of item: ObjectPath, before deadline: CallDeadline) throws -> SecretBytes {
        try secret(in: try bus.call(secretRequest(of: item), before: deadline))
    }

    /// Reads the secrets of items, all at once.
    func secrets(of items: [ObjectPath], before deadline: CallDeadline) throws -> [SecretBytes] {
        try bus.call(items.map(secretRequest), before: deadline).map { try secret(in: $0.get()) }
    }

    private func description(of item: ObjectPath) -> SessionBus.Request {
        let get = SessionBus.Method(interface: Interface.properties, name: "GetAll", reply: "(a{sv})")
        return SessionBus.Request(method: get, destination: owner, path: item, arguments: [.string(Interface.item)])
    }

    private func secretRequest(of item: ObjectPath) -> SessionBus.Request {
        let get = SessionBus.Method(interface: Interface.item, name: "GetSecret", reply: "((oayays))")
        return SessionBus.Request(method: get, destination: owner, path: item, arguments: [.objectPath(session.path)])
    }

    private func secret(in reply: [Variant]) throws -> SecretBytes {
        guard let secret = reply.first.flatMap(session.decode) else { throw BusError(unexpectedReplyOf: "GetSecret") }
        return secret
    }

    /// Replaces an item's secret.
    func setSecret(_ secret: SecretBytes, of item: ObjectPath, before deadline: CallDeadline) throws {
        let set = SessionBus.Method(interface: Interface.item, name: "SetSecret", reply: "()")
        _ = try call(set, at: item, [session.encode(secret)], before: deadline)
    }

    /// Creates an item and leaves all others as they are.
    ///
    /// `replace` is false. With true a provider writes the secret into any item that has at least these attributes,
    /// another program's items included.
    ///
    /// - Throws: ``SecureStoreError`` (`locked` if the provider would prompt to unlock), and the errors of a call.
    func createItem(
        _ attributes: ItemAttributes,
        _ secret: SecretBytes,
        in collection: ObjectPath,
        before deadline: CallDeadline
    ) throws {
        let properties: [String: Variant] = [
            "\(Interface.item).Label": .string(attributes.label),
            "\(Interface.item).Attributes": .dictionary(attributes.query),
        ]
        let create = SessionBus.Method(interface: Interface.collection, name: "CreateItem", reply: "(oo)")
        let arguments: [Variant] = [.dictionary(properties), session.encode(secret), .bool(false)]
        let reply = try call(create, at: collection, arguments, before: deadline)
        let prompt = try prompt(in: reply, of: create)
        guard let prompt else {
            guard reply.first?.objectPath?.isNone == false else { throw BusError(unexpectedReplyOf: create.name) }
            return
        }
        // KeePassXC creates every item with a prompt that asks the user nothing. The prompt of a locked collection
        // would ask the user to unlock it, so it is not called.
        guard try !isLocked(collection, before: deadline) else { throw SecureStoreError(.locked) }
        try bus.showPrompt(at: prompt, of: owner, before: deadline)
    }

    /// Deletes an item.
    ///
    /// - Returns: Whether the item is gone; false if the provider offers a prompt: KeePassXC would ask the user to
    ///   confirm, and a locked keyring to unlock it.
    /// - Throws: The errors of a call.
    func delete(_ item: ObjectPath, before deadline: CallDeadline) throws -> Bool {
        let delete = SessionBus.Method(interface: Interface.item, name: "Delete", reply: "(o)")
        return try prompt(in: try call(delete, at: item, before: deadline), of: delete) == nil
    }

    /// Asks to unlock collections or items.
    ///
    /// - Returns: The prompt that unlocks them; nil if they are unlocked already.
    func unlock(_ objects: [ObjectPath], before deadline: CallDeadline) throws -> ObjectPath? {
        let unlock = SessionBus.Method(interface: Interface.service, name: "Unlock", reply: "(aoo)")
        return try prompt(in: try call(unlock, at: Self.path, [.objectPaths(objects)], before: deadline), of: unlock)
    }

    /// Asks to create the collection that new items go to.
    ///
    /// - Returns: The prompt for its password; nil if it is created already.
    func createDefaultCollection(before deadline: CallDeadline) throws -> ObjectPath? {
        let create = SessionBus.Method(interface: Interface.service, name: "CreateCollection", reply: "(oo)")
        let properties = ["\(Interface.collection).Label": Variant.string("Default keyring")]
        let arguments: [Variant] = [.dictionary(properties), .string("default")]
        return try prompt(in: try call(create, at: Self.path, arguments, before: deadline), of: create)
    }

    /// Reads the prompt at the end of a reply; nil if the service needs no prompt.
    private func prompt(in reply: [Variant], of method: SessionBus.Method) throws -> ObjectPath? {
        guard let path = reply.last?.objectPath else { throw BusError(unexpectedReplyOf: method.name) }
        return path.isNone ? nil : path
    }

    // MARK: Calling

    private func call(
        _ method: SessionBus.Method,
        at path: ObjectPath,
        _ arguments: [Variant] = [],
        before deadline: CallDeadline
    ) throws -> [Variant] {
        try bus.call(method, of: owner, at: path, arguments, before: deadline)
    }

    private func property(
        _ name: String,
        of interface: String,
        at path: ObjectPath,
        before deadline: CallDeadline
    ) throws -> Variant {
        let reply = try bus.call(propertyRequest(name, of: interface, at: path), before: deadline)
        guard let value = reply.first?.boxed else { throw BusError(unexpectedReplyOf: name) }
        return value
    }

    private func propertyRequest(_ name: String, of interface: String, at path: ObjectPath) -> SessionBus.Request {
        let get = SessionBus.Method(interface: Interface.properties, name: "Get", reply: "(v)")
        return SessionBus.Request(
            method: get,
            destination: owner,
            path: path,
            arguments: [.string(interface), .string(name)]
        )
    }
}
#endif
