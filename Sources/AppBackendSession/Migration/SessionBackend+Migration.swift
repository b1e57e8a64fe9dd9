// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import AuthSession
public import SecureStore

extension SessionBackend {
    /// Creates a store that migrates a session from the places that older versions of an app used.
    ///
    /// The first read migrates it, for example a session's `restore()`. The old items are removed once the new one is
    /// known to be written. A token that an older version writes there later stays until the sign-out.
    ///
    ///     let target = try KeyringStore(service: "com.example.app")
    ///     let store = try backend.store(
    ///         target,
    ///         migratingFrom: [
    ///             { try .keyring(target, attributes: ["service": "com.example.older", "account": $0]) },
    ///             { .settings(path: path, member: $0) },
    ///         ]
    ///     )
    ///
    /// With the contract `sessionToken`, the session is a bare token. With `tokenPair`, it is a refresh token, and the
    /// access token and its expiry beside it. The expiry is seconds since 1970 or a date of RFC 3339. If the access
    /// token or a valid expiry is missing, the session refreshes first. Without a refresh token there is no session.
    ///
    /// The identifier of the user is taken from the same place as the token, unless it is invalid or the token names
    /// another subject. The server corrects it when it names the user.
    ///
    /// - Parameters:
    ///   - target: The store that keeps sessions now.
    ///   - places: The places that may hold a session, in the order of the search. Each returns its item of an account.
    ///   - names: The accounts of the items in each place.
    /// - Returns: The store, for `AuthSession`.
    /// - Throws: `AuthSessionError` (`contractMismatch`) if the backend has neither contract; the errors of `places`.
    public func store(
        _ target: any SecureStore,
        migratingFrom places: [@Sendable (_ account: String) throws -> LegacyItem],
        names: LegacySessionNames = LegacySessionNames()
    ) throws -> MigratingStore {
        guard let contract else { throw AuthSessionError(.contractMismatch) }
        let sources = try places.map { place in
            let items = try LegacySession.Items(in: place, names, contract)
            return MigratingStore.Source(items.main, with: items.companions) { value in
                let session = try await LegacySession(value, beside: items)
                // A value that is not a token becomes an unreadable record, which is no reason to lock the app: the
                // next sign-in replaces it.
                return (try? session.item(of: self, contract)) ?? value
            }
        }
        return try MigratingStore(target, migrating: Self.sessionKey, from: sources)
    }
}

/// The accounts under which older versions of an app kept the parts of a session.
///
/// The defaults are names that apps of both contracts use. None of them is secret.
public struct LegacySessionNames: Sendable, Hashable {
    /// The session token, for `SessionBackend.Contract.sessionToken`.
    public var token: String
    /// The server's identifier of the user, beside the token or the pair of tokens.
    public var userID: String
    /// The access token, for `SessionBackend.Contract.tokenPair`.
    public var accessToken: String
    /// The refresh token, for `SessionBackend.Contract.tokenPair`.
    public var refreshToken: String
    /// The access token's expiry, for `SessionBackend.Contract.tokenPair`.
    public var tokenExpiry: String

    /// Creates names.
    public init(
        token: String = "authToken",
        userID: String = "userId",
        accessToken: String = "accessToken",
        refreshToken: String = "refreshToken",
        tokenExpiry: String = "tokenExpiry"
    ) {
        self.token = token
        self.userID = userID
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.tokenExpiry = tokenExpiry
    }
}
