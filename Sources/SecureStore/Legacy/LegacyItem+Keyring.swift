// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import AuthCore

extension LegacyItem {
    /// The longest name or value of an attribute, in bytes.
    private static let longestAttribute = 1_024
    private static let mostAttributes = 32

    /// Describes an item in the system's keyring, found by exactly its attributes.
    ///
    /// Libraries name their items so: libsecret, `secret-tool` and `keytar` by `service` and `account`; `go-keyring` by
    /// `service` and `username`; Python's `keyring` by these and `application` (`Python keyring library`); a
    /// ``KeyringStore`` by `application` (`sallyport`), `service`, `account` (`default`) and `key`. The attributes that
    /// keyrings add themselves, such as `xdg:schema`, are neither given nor compared. If the keyring is locked, a call
    /// throws `locked`.
    ///
    /// - Parameters:
    ///   - attributes: The attributes: 1 to 32, each a name and a value.
    ///   - deadline: The time limit of a call, from a millisecond to a day.
    ///   - busAddress: The session bus, as for ``KeyringStore``; nil for the process's.
    /// - Returns: The item.
    /// - Throws: ``SecureStoreError`` (`invalidName` if there are none or too many, if a name or value is empty, longer
    ///   than 1,024 bytes or contains a NUL, or if a name is one that keyrings add themselves).
    public static func keyring(
        attributes: [String: String],
        deadline: Duration = .seconds(5),
        busAddress: String? = nil
    ) throws -> LegacyItem {
        let exact = ItemAttributes(exactly: attributes)
        // A search for an attribute that is left out of the comparison would never match.
        guard (1...mostAttributes).contains(attributes.count), exact.match(attributes) else {
            throw SecureStoreError(.invalidName)
        }
        for text in attributes.flatMap({ [$0.key, $0.value] }) {
            // A NUL would end the attribute early, and so name another item.
            guard (1...longestAttribute).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw SecureStoreError(.invalidName)
            }
        }
        let calls = KeyringCalls(busAddress.map { .named($0) } ?? .ofProcess(), deadline: deadline)
        @Sendable func call<Value: Sendable>(
            _ work: @escaping @Sendable (KeyringItems) throws -> Value
        ) async throws -> Value {
            try await calls.make { keyring, deadline in
                // A random scope, because only items of this library are found by their scope.
                try work(KeyringItems(keyring: keyring, scope: StoreScope(service: .random), deadline: deadline))
            }
        }
        return LegacyItem(
            read: { try await call { try $0.read(exact) } },
            remove: { try await call { try $0.remove(exact) } }
        )
    }
}
#endif
