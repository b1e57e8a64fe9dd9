// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import SecureStore

extension SessionBackend {
    /// Creates a store that migrates a session from the locations that older versions of an app used.
    ///
    /// The first read migrates it, for example a session's `restore()`. The old items are removed once the new one is
    /// known to be written, and all that is left of them at the sign-out.
    ///
    ///     let older = try LegacyLocation.system(services: ["com.example.app", "com.example.older"])
    ///     let store = try backend.store(KeyringStore(service: "com.example.app"), migratingFrom: older)
    ///
    /// For ``Contract/sessionToken``, the session is a bare token. For ``Contract/tokenPair``, it is a refresh token,
    /// and the access token and its expiry beside it. The expiry is seconds since 1970 or a date of RFC 3339. If the
    /// access token or a valid expiry is missing, the session refreshes first. Without a refresh token there is no
    /// session.
    ///
    /// The identifier of the user is taken from the same location as the token, unless it is invalid or the token names
    /// another subject. The server corrects it when it names the user.
    ///
    /// - Parameters:
    ///   - target: The store that keeps sessions now.
    ///   - locations: The locations that may hold a session, in the order of the search.
    ///   - names: The accounts of the items in each location.
    /// - Returns: The store, for ``AuthSession``.
    /// - Throws: `SecureStoreError` (`invalidName` if two locations have one name); ``AuthSessionError``
    ///   (`contractMismatch`) if the backend has neither contract.
    public func store(
        _ target: any SecureStore,
        migratingFrom locations: [LegacyLocation],
        names: LegacySessionNames = LegacySessionNames()
    ) throws -> MigratingStore {
        guard let contract else { throw AuthSessionError(.contractMismatch) }
        return try migrating(to: target, from: locations.map { try LegacySession.items(in: $0, names, contract) })
    }

    /// Creates a store that migrates a bare session token from the items that older versions of an app used.
    ///
    /// For items that a `LegacyLocation` does not describe.
    ///
    ///     let older = try KeyringStore(service: "com.example.older")
    ///     let store = try backend.store(
    ///         KeyringStore(service: "com.example.app"),
    ///         migratingFrom: [
    ///             LegacyStoreItem(try StoreLocationName("older-keyring"), in: older, forKey: try
    ///             StoreKey("authToken")), LegacySettingsValue(try StoreLocationName("settings"), path: path),
    ///         ]
    ///     )
    ///
    /// - Parameters:
    ///   - target: The store that keeps sessions now.
    ///   - legacyItems: The items that may hold a token, in the order of the search.
    /// - Returns: The store, for ``AuthSession``.
    /// - Throws: `SecureStoreError` if the places can't be told apart; ``AuthSessionError`` (`contractMismatch`) if a
    ///   bare token is not a session at this backend.
    public func store(_ target: any SecureStore, migratingFrom legacyItems: [any LegacyItemSource]) throws
        -> MigratingStore
    {
        guard contract == .sessionToken else { throw AuthSessionError(.contractMismatch) }
        return try migrating(to: target, from: legacyItems)
    }

    private func migrating(to target: any SecureStore, from items: [any LegacyItemSource]) throws -> MigratingStore {
        guard let contract else { throw AuthSessionError(.contractMismatch) }
        let sources = items.map { item in
            MigratingStore.Source(item) { value in
                // A value that is not a token becomes an unreadable record, which is no reason to lock the app: the
                // next sign-in keeps it aside.
                (try? LegacySession(value).record(of: self, contract).encoded()) ?? value
            } isSameOrigin: { converted, item in
                // A refresh keeps the name of the sign-in, which names the token that the session comes from.
                guard let signIn = (try? SessionRecord(converted))?.signIn else { return false }
                return signIn == (try? SessionRecord(item))?.signIn
            }
        }
        return try MigratingStore(target, migrating: SessionRecord.key, from: sources)
    }
}
