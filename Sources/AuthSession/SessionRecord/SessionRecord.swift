// SPDX-License-Identifier: Apache-2.0

import AuthCore
package import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The complete session as one item of the store.
///
/// Every later release must be able to read it.
///
/// It carries all that a refresh needs, so that a stored session works by itself.
struct SessionRecord: Sendable, Equatable {
    /// The number of times that the tokens were replaced since the sign-in.
    var tokenGeneration: Int
    var tokens: TokenSet
    var user: SessionUser?
    /// The authority that issued the tokens.
    var authority: AuthorityRecord
    /// Whether another authority than the session's issued the tokens, or issued them for other APIs.
    var isForeign = false
    /// The start of the first refresh of these tokens whose outcome is not yet recorded.
    ///
    /// It uses the wall clock of the process that began the refresh. After a crash, a lost response or a network
    /// failure, it shows that the server may have replaced the tokens already.
    var refreshBegunAt: Date?
    /// The API whose access token that refresh requested; nil for the session's own.
    var refreshTarget: TokenTarget?
    /// Whether the refresh was sent for another API, too.
    ///
    /// The server may repeat its first response, whichever API a repetition names. So the access token of a response can
    /// be for either, and only its refresh token is used.
    var hasMixedTargets = false
    /// The unique name of the sign-in, so that a sign-out removes only the session it belongs to.
    ///
    /// Nil in records of the first releases, until a refresh names it (``signInName``).
    var signIn: String?
    /// The arrival of these tokens, if they came in response to a repeated refresh request; nil if they did not.
    ///
    /// The first request may still be on its way. It must reach the server before these tokens are replaced in turn.
    /// Otherwise it would present a token that is two rotations old, as a thief would.
    var repeatedAt: Date?
    /// The scope requested at the sign-in, if the server granted less, then or since.
    var requestedScope: Scope?
    /// Apple's identifier of the user who signed in with Apple; nil for another sign-in.
    ///
    /// Nil also in records of the first releases, and after they have written the record.
    var appleUser: String?
    /// The server's last refusal to refresh; nil once a refresh has succeeded.
    var refreshRefusal: RefreshRefusal?
    /// Whether the server can validate these tokens; nil if it is not known.
    ///
    /// False once the server has rejected them although they are new. The next tokens are tried again.
    var supportsValidation: Bool?
    /// Whether the last refresh brought no ID token; nil before the first one.
    var lacksNewIDToken: Bool?
    /// The access tokens for other APIs.
    var resourceTokens = ResourceTokens()

    /// The item's name in the store.
    static let key = StoreKey(trusted: "session")
    /// The name of the item that keeps an unreadable record after a new session has replaced it.
    static let unreadableKey = StoreKey(trusted: "session.unreadable")

    /// Returns the bytes to store.
    ///
    /// They are secret.
    func encoded() throws -> SecretBytes {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return SecretBytes(try encoder.encode(SessionRecordFormat.Version1(self)))
    }

    /// Reads a stored record, and notes if another authority issued it, or this one for other APIs.
    ///
    /// - Throws: ``SessionRecordError`` (`damaged`, `unknownVersion`).
    init(_ item: SecretBytes, of authority: any TokenAuthority) throws(SessionRecordError) {
        try self.init(item)
        do {
            try authority.check(self.authority)
        } catch {
            guard error.code == .otherBackend else { throw error }
            isForeign = true
        }
        guard !isForeign, let authority = authority as? any ResourceNaming else { return }
        isForeign = !TokenTarget.isUsable(
            forResources: authority.resources(of: authority.record),
            tokens.resources,
            configuredFor: authority.resources(of: self.authority)
        )
    }

    /// Reads a stored record of any authority.
    ///
    /// - Throws: ``SessionRecordError`` (`damaged`, `unknownVersion`).
    init(_ item: SecretBytes) throws(SessionRecordError) {
        let data = Data(item.unredacted)
        guard let header = try? JSONDecoder().decode(StoredHeader.self, from: data) else {
            throw SessionRecordError(.damaged)
        }
        guard header.version == 1 || header.version == 2 else { throw SessionRecordError(.unknownVersion) }
        do {
            self = try JSONDecoder().decode(SessionRecordFormat.Version1.self, from: data).record()
        } catch {
            throw SessionRecordError(.damaged)
        }
    }

    init(
        tokenGeneration: Int,
        tokens: TokenSet,
        user: SessionUser?,
        authority: AuthorityRecord,
        refreshBegunAt: Date? = nil,
        signIn: String? = nil,
        repeatedAt: Date? = nil,
        requestedScope: Scope? = nil,
        appleUser: String? = nil
    ) {
        self.tokenGeneration = tokenGeneration
        self.tokens = tokens
        self.user = user
        self.authority = authority
        self.refreshBegunAt = refreshBegunAt
        self.signIn = signIn
        self.repeatedAt = repeatedAt
        self.requestedScope = requestedScope
        self.appleUser = appleUser
    }

    /// Returns this record after a refresh.
    ///
    /// - Parameters:
    ///   - response: The token response. A value that it omits stays.
    ///   - repeatedAt: The time of the response, if the request was a repetition.
    /// - Returns: The next tokenGeneration, without a refresh in progress.
    func refreshed(_ response: TokenSet, repeatedAt: Date?) -> SessionRecord {
        var next = self
        next.tokens = tokens.merging(response)
        next.tokenGeneration += 1
        (next.refreshBegunAt, next.refreshTarget, next.hasMixedTargets) = (nil, nil, false)
        next.repeatedAt = repeatedAt
        next.signIn = signInName
        next.refreshRefusal = nil
        next.supportsValidation = nil
        next.noteRequest(for: requestedScope ?? tokens.scope)
        return next
    }

    /// Remembers the requested scope if the server has granted less.
    mutating func noteRequest(for scope: Scope?) {
        requestedScope = missing(from: scope).isEmpty ? nil : scope
    }

    /// The name of the sign-in.
    ///
    /// For a record of the first releases, it is derived from the access token. All processes that have read the record
    /// derive the same name, and find it in the record that the first of them to refresh writes.
    var signInName: String {
        if let signIn { return signIn }
        return Hexadecimal.encode(SecretBytes(Array(tokens.accessToken.unredacted.utf8)).sha256.prefix(16))
    }

    /// Returns whether both records belong to one sign-in, as far as they show.
    ///
    /// Older releases write no name, and drop an existing one. The sign-in is then the same if the server has named the
    /// same user in both.
    func isOfSameSignIn(as other: SessionRecord) -> Bool {
        guard isForeign == other.isForeign, !isForeign || authority == other.authority else { return false }
        if signInName == other.signInName { return true }
        // Both records name their sign-in, and the names differ.
        if signIn != nil, other.signIn != nil { return false }
        return SessionUser.isSame(user, as: other.user)
    }

    /// The part of the scope requested at the sign-in that the access token doesn't have.
    var missingScope: Scope? {
        let missing = missing(from: requestedScope)
        return missing.isEmpty ? nil : Scope(missing.joined(separator: " "))
    }

    private func missing(from requested: Scope?) -> [String] {
        guard let requested, let scope = tokens.scope else { return [] }
        // A server may omit `offline_access` although it grants it. A refresh token shows that.
        let kept = Set(scope.values + ["offline_access"])
        return requested.values.filter { !kept.contains($0) }
    }
}

extension StoreKey {
    /// The item of a sign-in that waits for the browser, if the authority has such sign-ins.
    package static let pendingSignIn = StoreKey(trusted: "authorization.pending")
}

extension RevocableTokens {
    /// Creates a value from all tokens of a session.
    init(_ record: SessionRecord) {
        self.init(
            accessToken: record.tokens.accessToken,
            refreshToken: record.tokens.refreshToken,
            exchangedTokens: record.resourceTokens.all
                .filter { $0.request.grant == .tokenExchange || record.tokens.refreshToken == nil }
                .map(\.accessToken)
        )
    }
}
