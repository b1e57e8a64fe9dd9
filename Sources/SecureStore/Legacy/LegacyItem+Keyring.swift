// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import AuthCore

extension LegacyItem {
    /// The longest name or value of an attribute, in bytes.
    private static let longestAttribute = 1_024
    private static let mostAttributes = 32

    /// Describes an item in a store's keyring, found by exactly its attributes.
    ///
    /// Libraries name their items so: libsecret, `secret-tool` and `keytar` by `service` and `account`; `go-keyring` by
    /// `service` and `username`; Python's `keyring` by these and `application` (`Python keyring library`); a
    /// ``KeyringStore`` by `application` (`sallyport`), `service`, `account` (`default`) and `key`. The attributes that
    /// keyrings add themselves, such as `xdg:schema`, are neither given nor compared. If the keyring is locked, a call
    /// throws `locked`.
    ///
    /// - Parameters:
    ///   - store: A store in that keyring. Its connection and its deadline are used.
    ///   - attributes: The attributes: 1 to 32, each a name and a value.
    /// - Throws: ``SecureStoreError`` (`invalidName` if there are none or too many, if a name or value is empty, longer
    ///   than 1,024 bytes or contains a NUL, or if a name is one that keyrings add themselves).
    public static func keyring(_ store: KeyringStore, attributes: [String: String]) throws -> LegacyItem {
        let exact = ItemAttributes(exactly: attributes)
        // A NUL would end an attribute early, and so name another item. A search for an attribute that is left out of
        // the comparison would never match.
        guard (1...mostAttributes).contains(attributes.count), exact.match(attributes.map { ($0.key, $0.value) }),
            attributes.flatMap({ [$0.key, $0.value] }).allSatisfy({ text in
                (1...longestAttribute).contains(text.utf8.count) && !text.utf8.contains(0)
            })
        else { throw SecureStoreError(.invalidName) }
        return LegacyItem(
            read: { try await store.worker.run { items, _ in try items.read(exact) } },
            remove: { try await store.worker.run { items, _ in try items.remove(exact) } }
        )
    }
}
#endif
