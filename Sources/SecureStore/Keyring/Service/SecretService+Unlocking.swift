// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
extension SecretService {
    /// Asks to unlock collections or items.
    ///
    /// - Returns: The prompt that unlocks them; nil if they are unlocked already.
    func unlock(_ objects: [ObjectPath], before deadline: CallDeadline) throws -> PromptOffer? {
        let unlock = SessionBus.Method(interface: Interface.service, name: "Unlock", reply: "(aoo)")
        let reply = try call(unlock, at: Self.path, [.objectPaths(objects)], before: deadline)
        return try offer(reply.last, of: unlock)
    }

    /// Asks to create the collection that new items go to.
    ///
    /// - Returns: The prompt for its password; nil if it is created already.
    func createDefaultCollection(before deadline: CallDeadline) throws -> PromptOffer? {
        let create = SessionBus.Method(interface: Interface.service, name: "CreateCollection", reply: "(oo)")
        let properties = ["\(Interface.collection).Label": Variant.string("Default keyring")]
        let arguments: [Variant] = [.dictionary(properties), .string("default")]
        return try offer(try call(create, at: Self.path, arguments, before: deadline).last, of: create)
    }

    /// Reads the prompt out of a reply; nil if the service needs no prompt.
    func offer(_ prompt: Variant?, of method: SessionBus.Method) throws -> PromptOffer? {
        guard let path = prompt?.objectPath else { throw BusError(unexpectedReplyOf: method.name) }
        return path.isNone ? nil : PromptOffer(bus: bus, owner: owner, path: path)
    }
}
#endif
