#if Keyring && canImport(CSecretService)
public import AuthCore

/// An item that another program's library put into the system's keyring.
///
/// It is found by exactly its attributes. No call prompts or unlocks. If the keyring is locked, a call throws `locked`
/// and never reports the item absent.
public final class LegacyKeyringItem: LegacyItemSource {
    /// The name of the location.
    public let name: StoreLocationName
    private let attributes: ItemAttributes
    private let calls: KeyringCalls

    /// The longest attribute, in bytes.
    private static let longest = 1_024

    /// Describes an item of Python's `keyring` library.
    ///
    /// It is found by the attributes `application` (`Python keyring library`), `service` and `username`.
    ///
    /// - Parameters:
    ///   - name: The name of the location.
    ///   - service: The service name that the program used.
    ///   - username: The user name that it used.
    ///   - deadline: The time limit of a call, from a millisecond to a day.
    /// - Returns: The location.
    /// - Throws: ``SecureStoreError`` (`invalidName` if an attribute is empty, longer than 1,024 bytes or contains a
    ///   NUL).
    public static func python(
        _ name: StoreLocationName,
        service: String,
        username: String,
        deadline: Duration = .seconds(5)
    ) throws -> LegacyKeyringItem {
        let attributes = ["application": "Python keyring library", "service": service, "username": username]
        return try LegacyKeyringItem(name, attributes, deadline, bus: BusAddress.fromEnvironment())
    }

    /// Describes an item of the `go-keyring` library.
    ///
    /// It is found by the attributes `service` and `username`, and has no others.
    ///
    /// - Parameters:
    ///   - name: The name of the location.
    ///   - service: The service name that the program used.
    ///   - username: The user name that it used.
    ///   - deadline: The time limit of a call, from a millisecond to a day.
    /// - Returns: The location.
    /// - Throws: ``SecureStoreError`` (`invalidName` if an attribute is empty, longer than 1,024 bytes or contains a
    ///   NUL).
    public static func goKeyring(
        _ name: StoreLocationName,
        service: String,
        username: String,
        deadline: Duration = .seconds(5)
    ) throws -> LegacyKeyringItem {
        let attributes = ["service": service, "username": username]
        return try LegacyKeyringItem(name, attributes, deadline, bus: BusAddress.fromEnvironment())
    }

    /// Describes an item by all its attributes, on a given bus.
    package init(_ name: StoreLocationName, _ attributes: [String: String], _ deadline: Duration, bus: String?) throws {
        for text in attributes.values {
            // A NUL would end the attribute early, and so name another item.
            guard (1...Self.longest).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw SecureStoreError(.invalidName)
            }
        }
        self.name = name
        self.attributes = ItemAttributes(exactly: attributes)
        let environment = KeyringEnvironment(busAddress: bus, sandbox: Sandbox.ofProcess())
        calls = KeyringCalls(environment, deadline: deadline)
    }

    /// Reads the item.
    ///
    /// - Returns: The item, secret, and the newest of several; nil only if no keyring is locked and no keyring has it.
    /// - Throws: ``SecureStoreError`` (`locked`, `noSessionBus`, `noProvider`, `noCollection`, `timedOut`, `denied`,
    ///   `failed`); `CancellationError`.
    public func item() async throws -> SecretBytes? {
        try await perform { [attributes] in try $0.read(attributes) }
    }

    /// Removes the item only if it still is the expected one.
    ///
    /// All others of the same attributes are removed with it.
    ///
    /// - Parameter expected: The item that must be present. Secret.
    /// - Returns: Whether the item is gone.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        try await perform { [attributes] in try $0.remove(attributes, ifEquals: expected) }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (KeyringItems) throws -> Value
    ) async throws -> Value {
        try await calls.make { keyring, deadline in
            // A random scope, because only items of this library are found by their scope.
            let scope = StoreScope(service: .random)
            return try work(KeyringItems(keyring: keyring, scope: scope, deadline: deadline))
        }
    }
}
#endif
