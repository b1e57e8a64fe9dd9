#if Keyring && canImport(CSecretService)
public import AuthCore

/// An item that another program's library put into the system's keyring.
///
/// It is found by exactly its attributes. Nothing prompts or unlocks: a locked keyring is the error `locked`, never
/// "absent".
public final class ForeignKeyringItem: OlderPlace {
    /// What the place is called.
    public let name: PlaceName
    private let attributes: ItemAttributes
    private let calls: KeyringCalls

    /// The longest attribute, in bytes.
    private static let longest = 1_024

    /// Names an item of Python's `keyring` library.
    ///
    /// It is known by the attributes `application` (`Python keyring library`), `service` and `username`.
    ///
    /// - Parameters:
    ///   - name: What the place is called.
    ///   - service: What the program called its service.
    ///   - username: What it called the user.
    ///   - deadline: How long a call may take, from a millisecond to a day.
    /// - Returns: The place.
    /// - Throws: ``SecureStoreError`` (`invalidName` where an attribute is empty, longer than 1,024 bytes or holds a
    ///   NUL).
    public static func python(
        _ name: PlaceName,
        service: String,
        username: String,
        deadline: Duration = .seconds(5)
    ) throws -> ForeignKeyringItem {
        let attributes = ["application": "Python keyring library", "service": service, "username": username]
        return try ForeignKeyringItem(name, attributes, deadline, bus: BusAddress.fromEnvironment())
    }

    /// Names an item of the `go-keyring` library.
    ///
    /// It is known by the attributes `service` and `username`, and has no others.
    ///
    /// - Parameters:
    ///   - name: What the place is called.
    ///   - service: What the program called its service.
    ///   - username: What it called the user.
    ///   - deadline: How long a call may take, from a millisecond to a day.
    /// - Returns: The place.
    /// - Throws: ``SecureStoreError`` (`invalidName` where an attribute is empty, longer than 1,024 bytes or holds a
    ///   NUL).
    public static func goKeyring(
        _ name: PlaceName,
        service: String,
        username: String,
        deadline: Duration = .seconds(5)
    ) throws -> ForeignKeyringItem {
        let attributes = ["service": service, "username": username]
        return try ForeignKeyringItem(name, attributes, deadline, bus: BusAddress.fromEnvironment())
    }

    /// Names an item by all its attributes, on a given bus.
    package init(_ name: PlaceName, _ attributes: [String: String], _ deadline: Duration, bus: String?) throws {
        for text in attributes.values {
            // A NUL would end the attribute early, and so name another item.
            guard (1...Self.longest).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw SecureStoreError(.invalidName)
            }
        }
        self.name = name
        self.attributes = ItemAttributes(exactly: attributes)
        let surroundings = KeyringSurroundings(busAddress: bus, sandbox: Sandbox.ofProcess())
        calls = KeyringCalls(surroundings, deadline: deadline)
    }

    /// Reads the item.
    ///
    /// - Returns: The item, secret; of several the newest; nil only where no keyring is locked and none has it.
    /// - Throws: ``SecureStoreError`` (`locked`, `noSessionBus`, `noProvider`, `noCollection`, `timedOut`, `denied`,
    ///   `failed`); `CancellationError`.
    public func item() async throws -> SecretBytes? {
        try await perform { [attributes] in try $0.read(attributes) }
    }

    /// Removes the item only where it still is the expected one.
    ///
    /// With it go all others of the same attributes.
    ///
    /// - Parameter expected: What it must be. Secret.
    /// - Returns: Whether the item is gone.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        try await perform { [attributes] in try $0.remove(attributes, ifEquals: expected) }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (KeyringItems) throws -> Value
    ) async throws -> Value {
        try await calls.make { keyring, deadline in
            // A scope that is nobody's: only items of this library are found by one.
            let scope = StoreScope(service: .random)
            return try work(KeyringItems(keyring: keyring, scope: scope, deadline: deadline))
        }
    }
}
#endif
