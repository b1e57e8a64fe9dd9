// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import AuthCore

/// The Secret Service, method for method, until one deadline.
///
/// Every method throws ``BusError``, or ``SecureStoreError`` (`timedOut`). What can change is never read from a cache.
///
/// [Secret Service API, draft 0.2](https://specifications.freedesktop.org/secret-service-spec/latest/).
struct SecretService {
    let session: SecretSession
    let deadline: CallDeadline

    enum Interface {
        static let service = "org.freedesktop.Secret.Service"
        static let collection = "org.freedesktop.Secret.Collection"
        static let item = "org.freedesktop.Secret.Item"
        static let properties = "org.freedesktop.DBus.Properties"
    }

    // MARK: Finding

    /// The paths of found items.
    typealias Paths = (unlocked: [ObjectPath], locked: [ObjectPath])

    /// Searches all collections for items that have at least these attributes.
    func searchItems(_ attributes: [String: String]) throws -> Paths {
        let reply = try call(request("SearchItems", of: Interface.service, [.dictionary(attributes)], reply: "(aoao)"))
        guard let unlocked = reply.first, let locked = reply.last else {
            throw BusError(unexpectedReplyOf: "SearchItems")
        }
        return (unlocked.children.compactMap(\.objectPath), locked.children.compactMap(\.objectPath))
    }

    /// Returns the collection that new items go to, or nil if there is no such collection.
    func defaultCollection() throws -> ObjectPath? {
        try object(request("ReadAlias", of: Interface.service, [.string("default")], reply: "(o)"))
    }

    func collections() throws -> [ObjectPath] {
        let value = try property("Collections", of: Interface.service, at: SecretSession.root)
        guard value.isOf(type: "ao") else { throw BusError(unexpectedReplyOf: "Collections") }
        return value.children.compactMap(\.objectPath)
    }

    /// Reads whether a collection or, by its interface, an item is locked.
    func isLocked(_ object: ObjectPath, of interface: String = Interface.collection) throws -> Bool {
        guard let locked = try property("Locked", of: interface, at: object).bool else {
            throw BusError(unexpectedReplyOf: "Locked")
        }
        return locked
    }

    /// Reads the properties of items, all at once.
    func describe(_ items: [ObjectPath]) throws -> [KeyringItem] {
        let requests = items.map {
            request("GetAll", of: Interface.properties, at: $0, [.string(Interface.item)], reply: "(a{sv})")
        }
        return try zip(items, session.bus.call(requests, before: deadline)).map { path, reply in
            let found = try reply.get().first
            guard let attributes = found?.member("Attributes")?.attributes else {
                throw BusError(unexpectedReplyOf: "Attributes")
            }
            var item = KeyringItem(path: path, attributes: attributes)
            item.modified = found?.member("Modified")?.uint64 ?? 0
            item.created = found?.member("Created")?.uint64 ?? 0
            return item
        }
    }

    // MARK: Secrets

    /// Reads an item's attributes and its secret, both at once.
    func read(_ item: ObjectPath) throws -> (attributes: [KeyringItem.Attribute], secret: SecretBytes) {
        let attributes = propertyRequest("Attributes", of: Interface.item, at: item)
        let replies = try session.bus.call([attributes, secretRequest(of: item)], before: deadline)
        guard replies.count == 2, let found = try replies[0].get().first?.boxed?.attributes else {
            throw BusError(unexpectedReplyOf: "Attributes")
        }
        return (found, try secret(in: replies[1]))
    }

    /// Reads the secrets of items, all at once.
    func secrets(of items: [ObjectPath]) throws -> [SecretBytes] {
        try session.bus.call(items.map(secretRequest), before: deadline).map(secret)
    }

    private func secretRequest(of item: ObjectPath) -> SessionBus.Request {
        request("GetSecret", of: Interface.item, at: item, [.objectPath(session.path)], reply: "((oayays))")
    }

    private func secret(in reply: Result<[Variant], BusError>) throws -> SecretBytes {
        guard let secret = try reply.get().first.flatMap(session.decode) else {
            throw BusError(unexpectedReplyOf: "GetSecret")
        }
        return secret
    }

    /// Replaces an item's secret.
    func setSecret(_ secret: SecretBytes, of item: ObjectPath) throws {
        _ = try call(request("SetSecret", of: Interface.item, at: item, [session.encode(secret)], reply: "()"))
    }

    /// Creates an item and leaves all others as they are.
    ///
    /// `replace` is false. With true a provider writes the secret into any item that has at least these attributes,
    /// another program's items included.
    ///
    /// - Throws: ``SecureStoreError`` (`locked` if the provider would prompt to unlock), and the errors of a prompt.
    func createItem(_ attributes: ItemAttributes, _ secret: SecretBytes, in collection: ObjectPath) throws {
        let properties: [String: Variant] = [
            "\(Interface.item).Label": .string(attributes.label),
            "\(Interface.item).Attributes": .dictionary(attributes.query),
        ]
        let arguments: [Variant] = [.dictionary(properties), session.encode(secret), .bool(false)]
        let reply = try call(request("CreateItem", of: Interface.collection, at: collection, arguments, reply: "(oo)"))
        guard let item = reply.first?.objectPath, let prompt = reply.last?.objectPath, !(item.isNone && prompt.isNone)
        else { throw BusError(unexpectedReplyOf: "CreateItem") }
        guard !prompt.isNone else { return }
        // KeePassXC creates every item with a prompt that asks the user nothing. The prompt of a locked collection
        // would ask the user to unlock it, so it is not called.
        guard try !isLocked(collection) else { throw SecureStoreError(.locked) }
        try session.bus.showPrompt(at: prompt, of: session.owner, before: deadline)
    }

    /// Deletes an item, and returns whether it is gone.
    ///
    /// False if the provider offers a prompt: KeePassXC would ask the user to confirm, a locked keyring to unlock it.
    func delete(_ item: ObjectPath) throws -> Bool {
        try object(request("Delete", of: Interface.item, at: item, reply: "(o)")) == nil
    }

    /// Asks to unlock collections or items, and returns the prompt that does; nil if they are unlocked already.
    func unlock(_ objects: [ObjectPath]) throws -> ObjectPath? {
        try object(request("Unlock", of: Interface.service, [.objectPaths(objects)], reply: "(aoo)"))
    }

    /// Asks to create the collection that new items go to, and returns the prompt for its password; nil if it exists.
    func createDefaultCollection() throws -> ObjectPath? {
        let properties = ["\(Interface.collection).Label": Variant.string("Default keyring")]
        let arguments: [Variant] = [.dictionary(properties), .string("default")]
        return try object(request("CreateCollection", of: Interface.service, arguments, reply: "(oo)"))
    }

    // MARK: Calling

    /// Describes a call of the process that owned the name when the session was opened.
    ///
    /// After a restart of the daemon, it fails and is repeated in a new session. So no secret goes to a session of
    /// another process.
    private func request(
        _ method: String,
        of interface: String,
        at path: ObjectPath = SecretSession.root,
        _ arguments: [Variant] = [],
        reply: String
    ) -> SessionBus.Request {
        SessionBus.Request(
            destination: session.owner,
            path: path,
            interface: interface,
            method: method,
            arguments: arguments,
            reply: reply
        )
    }

    private func call(_ request: SessionBus.Request) throws -> [Variant] {
        try session.bus.call(request, before: deadline)
    }

    /// Makes a call whose reply ends with an object, such as a prompt; returns nil if the service names none.
    private func object(_ request: SessionBus.Request) throws -> ObjectPath? {
        guard let found = try call(request).last?.objectPath else { throw BusError(unexpectedReplyOf: request.method) }
        return found.isNone ? nil : found
    }

    private func property(_ name: String, of interface: String, at path: ObjectPath) throws -> Variant {
        guard let value = try call(propertyRequest(name, of: interface, at: path)).first?.boxed else {
            throw BusError(unexpectedReplyOf: name)
        }
        return value
    }

    private func propertyRequest(_ name: String, of interface: String, at path: ObjectPath) -> SessionBus.Request {
        request("Get", of: Interface.properties, at: path, [.string(interface), .string(name)], reply: "(v)")
    }
}
#endif
