import AuthCore
public import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionBackend {
    /// A store that takes a session over from where older versions of an app kept its token.
    ///
    /// The first read moves it, `restore()` of a session for one: the old value goes once the new one is known to be
    /// written. Older versions kept a bare token; it becomes a session whose person the server is asked for behind the
    /// restore.
    ///
    ///     let older = try KeyringStore(service: "com.example.older")
    ///     let store = try backend.store(
    ///         KeyringStore(service: "com.example.app"),
    ///         takingOverFrom: [
    ///             OlderStoreItem(try PlaceName("older-keyring"), in: older, forKey: try StoreKey("authToken")),
    ///             SettingsFileValue(try PlaceName("settings"), path: path),
    ///         ]
    ///     )
    ///
    /// - Parameters:
    ///   - target: Where sessions are kept now.
    ///   - places: Where a token may be found, in the order in which they are looked through.
    /// - Returns: The store, for ``AuthSession``.
    /// - Throws: `SecureStoreError` where the places can't be told apart; ``AuthSessionError`` (`contractMismatch`) where a
    ///   bare token is no session at this backend.
    public func store(_ target: any SecureStore, takingOverFrom places: [any OlderPlace]) throws -> MigratingStore {
        guard contract == .sessionToken else { throw AuthSessionError(.contractMismatch) }
        let backend = self
        let sources = places.map { place in
            // What is no token is a record that can't be read, which is no reason to lock the app: the next sign-in keeps
            // it aside.
            MigratingStore.Source(place) { (try? SessionRecord(olderToken: $0, of: backend).encoded()) ?? $0 }
        }
        return try MigratingStore(target, migrating: SessionRecord.key, from: sources)
    }
}

extension SessionRecord {
    /// Makes a session of a token that an older version of an app kept.
    ///
    /// The same of the same each time: nothing random, and no moment but those that the token itself names.
    ///
    /// - Parameters:
    ///   - token: The token. Secret.
    ///   - backend: Whose it is.
    /// - Throws: `TokenFormatError`, ``SessionRecordError`` (`damaged`) where it is no text.
    init(olderToken token: SecretBytes, of backend: SessionBackend) throws {
        guard let text = String(validating: token.unredacted, as: UTF8.self) else { throw SessionRecordError(.damaged) }
        let accessToken = try AccessToken(text)
        // It may be a JWT that tells when it ends; the server decides all the same.
        let claims = try? UnverifiedJWT(accessToken.unredacted).claims
        self.init(
            generation: 0,
            tokens: TokenSet(
                accessToken: accessToken,
                lifetime: TokenLifetime(issuedAt: claims?.issuedAt, expiresAt: claims?.expiration)
            ),
            user: nil,
            backend: backend,
            // Else, once the server has said who it is, it would seem another person's.
            signIn: "migrated-" + Hexadecimal.encode(token.sha256)
        )
    }
}
