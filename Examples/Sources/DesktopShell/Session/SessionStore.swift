// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AppShell
import ArgumentParser
import AuthCore
import AuthSession
import SecureStore
import SessionStores
import UmuveBrands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A place of older versions: its item of an account.
private typealias LegacyPlace = @Sendable (_ account: String) throws -> LegacyItem

/// The selection and opening of the store for an app's session.
nonisolated enum SessionStore {
    /// Returns the chosen store, or else the one that holds the session already, or else ``StoreChoice/standard``.
    ///
    /// - Parameters:
    ///   - choice: The user's choice.
    ///   - scope: The scope of the session.
    /// - Returns: The store.
    /// - Throws: `ValidationError` if the session is in another store than the chosen one; `SecureStoreError` if the
    ///   record of its location can't be read.
    static func place(_ choice: StoreChoice?, of scope: StoreScope) throws -> StoreChoice {
        let recorded = try StoreRecord(of: scope).choice(of: StoreChoice.self)
        guard let choice else { return recorded ?? .standard }
        guard let recorded, choice != .memory, recorded != choice else { return choice }
        throw ValidationError(
            "The session of this profile is kept in the \(recorded.rawValue). Omit --store, sign out first, or use "
                + "another --profile."
        )
    }

    /// Opens a store without reading it yet.
    ///
    /// If a sign-out can't remove the session now, the store remembers that.
    ///
    /// - Parameters:
    ///   - choice: The store.
    ///   - brand: The app's brand.
    ///   - scope: The scope of the session.
    ///   - backend: The app's own backend, at which a token of an older version becomes the session; nil for a provider,
    ///     because older versions signed in at the backend alone.
    /// - Returns: The store.
    /// - Throws: `ValidationError` if the passphrase is invalid; `SecureStoreError` if a name is invalid.
    static func open(
        _ choice: StoreChoice,
        of brand: Brand,
        _ scope: StoreScope,
        for backend: SessionBackend?
    ) throws -> any SecureStore {
        let inKeyring = KeyringStore(scope: scope)
        func named(_ choice: StoreChoice, _ store: any SecureStore) -> RecordedStore.Named {
            (choice.rawValue, PendingRemovals(store, named: choice.rawValue))
        }
        switch choice {
        case .memory: return MemoryStore(scope: scope)
        case .keyring:
            let store = try migrating(inKeyring, from: legacyPlaces(of: brand, inKeyring), for: backend)
            // With the file, to remove a session there that was signed out while the file could not be used.
            let inFile = EncryptedFileStore(scope: scope) { try passphrase() }
            return try RecordedStore(named(.keyring, store), others: [named(.file, inFile)])
        case .file, .portal:
            let store: EncryptedFileStore
            if choice == .portal {
                store = EncryptedFileStore(scope: scope, key: .portal)
            } else {
                let passphrase = try passphrase()
                store = EncryptedFileStore(scope: scope, deadline: .seconds(60)) { passphrase }
            }
            let older = scope.account == "default" && brand.signInMethod == .apple ? [settings(of: brand)] : []
            let inFile = try migrating(store, from: older, for: backend)
            // With the keyring, to remove a session there that was signed out while the keyring was locked.
            return try RecordedStore(named(choice, inFile), others: [named(.keyring, inKeyring)])
        }
    }

    private static func migrating(
        _ store: any SecureStore,
        from places: [LegacyPlace],
        for backend: SessionBackend?
    ) throws -> any SecureStore {
        try backend?.store(store, migratingFrom: places) ?? store
    }

    private static func passphrase() throws -> Passphrase {
        guard let text = ProcessInfo.processInfo.environment["SALLYPORT_PASSPHRASE"], !text.isEmpty else {
            throw ValidationError("Set SALLYPORT_PASSPHRASE to the passphrase of the encrypted file.")
        }
        do {
            return try Passphrase(text)
        } catch {
            throw ValidationError("SALLYPORT_PASSPHRASE: \(error)")
        }
    }

    /// Returns the places of older versions' tokens: the services of the keyring first, then the plain settings.
    ///
    /// Older versions had a single user, so only the default profile gets their token. The app with
    /// passwords has no older version.
    private static func legacyPlaces(of brand: Brand, _ keyring: KeyringStore) throws -> [LegacyPlace] {
        guard keyring.scope.account == "default", brand.signInMethod == .apple else { return [] }
        let inKeyring = brand.legacyServices.flatMap { service in
            // As this library, libsecret and `go-keyring` name their items.
            let forms: [@Sendable (String) -> [String: String]] = [
                { ["application": "sallyport", "service": service, "account": "default", "key": $0] },
                { ["service": service, "account": $0] },
                { ["service": service, "username": $0] },
            ]
            return forms.map { form -> LegacyPlace in { try .keyring(keyring, attributes: form($0)) } }
        }
        return inKeyring + [settings(of: brand)]
    }

    private static func settings(of brand: Brand) -> LegacyPlace {
        let settings = AppSettingsStore(app: brand.bundleIdentifier)
        return { settings.legacyItem($0) }
    }
}
