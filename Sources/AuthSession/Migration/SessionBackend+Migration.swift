import AuthCore
public import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionBackend {
    /// Creates a store that migrates a session from the places that older versions of an app used.
    ///
    /// The first read migrates it, for example a session's `restore()`. The old value is removed once the new one is
    /// known to be written. Older versions kept a bare token. It becomes a session without a user; the session asks the
    /// server for the user after the restore.
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
        let backend = self
        let sources = legacyItems.map { legacyItem in
            // A value that is not a token becomes an unreadable record, which is no reason to lock the app: the next
            // sign-in keeps it aside.
            MigratingStore.Source(legacyItem) { (try? SessionRecord(legacyToken: $0, of: backend).encoded()) ?? $0 }
        }
        return try MigratingStore(target, migrating: SessionRecord.key, from: sources)
    }
}

extension SessionRecord {
    /// Creates a session from a token that an older version of an app kept.
    ///
    /// The same token always gives the same record: it has no random part, and no dates except those in the token.
    ///
    /// - Parameters:
    ///   - token: The token. Secret.
    ///   - backend: The backend that issued it.
    /// - Throws: `TokenFormatError`; ``SessionRecordError`` (`damaged`) if the token is not UTF-8.
    init(legacyToken token: SecretBytes, of backend: SessionBackend) throws {
        guard let text = String(validating: token.unredacted, as: UTF8.self) else { throw SessionRecordError(.damaged) }
        let accessToken = try AccessToken(text)
        // The token may be a JWT that names its expiry. The server still decides.
        let claims = try? UnverifiedJWT(accessToken.unredacted).claims
        self.init(
            tokenGeneration: 0,
            tokens: TokenSet(
                accessToken: accessToken,
                lifetime: TokenLifetime(issuedAt: claims?.issuedAt, expiresAt: claims?.expiration)
            ),
            user: nil,
            authority: backend.authority.record,
            // Without a name for the sign-in, the session would look like another user's once the server has named the
            // user.
            signIn: "migrated-" + Hexadecimal.encode(token.sha256)
        )
    }
}
