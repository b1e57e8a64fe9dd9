// SPDX-License-Identifier: Apache-2.0

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
    private let calls: KeyringWorker

    /// The longest name or value of an attribute, in bytes.
    private static let longest = 1_024
    private static let mostAttributes = 32

    /// Describes an item by all its attributes.
    ///
    /// The attributes that keyrings add themselves, such as `xdg:schema`, are neither given nor compared.
    ///
    /// - Parameters:
    ///   - name: The name of the location.
    ///   - attributes: The attributes: 1 to 32, each a name and a value.
    ///   - deadline: The time limit of a call, from a millisecond to a day.
    /// - Throws: ``SecureStoreError`` (`invalidName` if there are none or too many, if a name or value is empty, longer
    ///   than 1,024 bytes or contains a NUL, or if a name is one that keyrings add themselves).
    public convenience init(
        _ name: StoreLocationName,
        attributes: [String: String],
        deadline: Duration = .seconds(5)
    ) throws {
        try self.init(name, attributes, calls: KeyringWorker(.ofProcess(), deadline: deadline))
    }

    /// Describes an item that `secret-tool`, `keytar` or a program of its own wrote through libsecret.
    ///
    /// It is found by the attributes `service` and `account`, and has no others.
    ///
    /// - Parameters:
    ///   - name: The name of the location.
    ///   - service: The service name that the program used.
    ///   - account: The account name that it used.
    ///   - deadline: The time limit of a call, from a millisecond to a day.
    /// - Returns: The location.
    /// - Throws: ``SecureStoreError`` (`invalidName` if a name is empty, longer than 1,024 bytes or contains a NUL).
    public static func libsecret(
        _ name: StoreLocationName,
        service: String,
        account: String,
        deadline: Duration = .seconds(5)
    ) throws -> LegacyKeyringItem {
        try LegacyKeyringItem(name, attributes: Form.libsecret.attributes(service, account), deadline: deadline)
    }

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
        try LegacyKeyringItem(name, attributes: Form.python.attributes(service, username), deadline: deadline)
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
        try LegacyKeyringItem(name, attributes: Form.goKeyring.attributes(service, username), deadline: deadline)
    }

    /// Describes an item by all its attributes, on a bus that the app names.
    package convenience init(
        _ name: StoreLocationName,
        _ attributes: [String: String],
        _ deadline: Duration,
        bus: String
    ) throws {
        try self.init(name, attributes, calls: KeyringWorker(.named(bus), deadline: deadline))
    }

    /// Describes an item by all its attributes, read and removed by calls that several items share.
    init(_ name: StoreLocationName, _ attributes: [String: String], calls: KeyringWorker) throws {
        let exact = ItemAttributes(exactly: attributes)
        // A search for an attribute that is left out of the comparison would never match.
        guard (1...Self.mostAttributes).contains(attributes.count), exact.match(attributes.map { ($0.key, $0.value) })
        else {
            throw SecureStoreError(.invalidName)
        }
        for text in attributes.flatMap({ [$0.key, $0.value] }) {
            // A NUL would end the attribute early, and so name another item.
            guard (1...Self.longest).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw SecureStoreError(.invalidName)
            }
        }
        (self.name, self.attributes, self.calls) = (name, exact, calls)
    }

    /// The attributes by which a library names an item.
    enum Form: String, CaseIterable {
        /// A ``KeyringStore``'s.
        case own
        case libsecret
        case goKeyring = "go-keyring"
        case python

        /// Returns the attributes of an item of a service and an account.
        func attributes(_ service: String, _ account: String) -> [String: String] {
            switch self {
            case .own: ["application": "sallyport", "service": service, "account": "default", "key": account]
            case .libsecret: ["service": service, "account": account]
            case .goKeyring: ["service": service, "username": account]
            case .python: ["application": "Python keyring library", "service": service, "username": account]
            }
        }
    }

    /// Reads the item.
    ///
    /// - Returns: The item, secret, and the newest of several; nil only if no keyring is locked and no keyring has it.
    /// - Throws: ``SecureStoreError`` (`locked`, `noSessionBus`, `noProvider`, `noCollection`, `timedOut`,
    ///   `denied`, `failed`); `CancellationError`.
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
        try await perform { [attributes] in try $0.replace(attributes, ifEquals: expected, with: nil) }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (KeyringItems) throws -> Value
    ) async throws -> Value {
        try await calls.run(work)
    }
}
#endif
