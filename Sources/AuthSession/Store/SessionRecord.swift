// SPDX-License-Identifier: Apache-2.0

public import APIClient
package import AuthCore
package import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The complete session as one item of the store.
///
/// It remembers tokens and whose they are, and what a tool needs to reach their server again.
struct SessionRecord: StoredItemForm, Equatable {
    private(set) var version = 1
    /// The number of times that the tokens were replaced since the sign-in.
    var tokenGeneration: Int
    private var storedTokens: StoredTokens
    var user: SessionUser?
    var authority: AuthorityRecord
    /// Whether another authority than the session's issued the tokens, or issued them for other APIs; not stored.
    var isForeign = false
    /// The start of a refresh of these tokens whose outcome is not yet recorded; a repetition in its window keeps it.
    ///
    /// By the wall clock of the process that began it. After a crash, a lost response or a network failure, it shows that
    /// the server may have replaced the tokens already.
    var refreshBegunAt: Date?
    /// The same moment by the clock of the machine's start; nil if it is unknown.
    var refreshBegunAtBoot: BootTime?
    /// The API whose access token that refresh requested; nil for the session's own.
    var refreshTarget: TokenTarget?
    /// The unique name of the sign-in, so that a sign-out removes only the session it belongs to.
    var signIn: String
    /// The arrival of these tokens, if they came in response to a repeated refresh request; nil if they did not.
    ///
    /// The first request may still be on its way. It must reach the server before these tokens are replaced in turn.
    /// Otherwise it would present a token that is two rotations old, as a thief would.
    var repeatedAt: Date?
    /// The same moment by the clock of the machine's start; nil if it is unknown.
    var repeatedAtBoot: BootTime?
    /// The scope requested at the sign-in, if the server granted less, then or since.
    var requestedScope: Scope?
    /// Apple's identifier of the user who signed in with Apple's credential; nil if unknown, or for another sign-in.
    var appleUser: String?
    /// The server's last refusal to refresh; nil once a refresh has succeeded.
    var refreshRefusal: RefreshRefusal?
    /// Whether the last refresh brought no ID token to a session that has one; nil before the first one.
    var lacksNewIDToken: Bool?
    /// The ID token that came with the access token, and that nobody has verified yet.
    var receivedIDToken: ReceivedIDToken?
    var resourceTokens = ResourceTokens()

    /// The verified ID token, and the one that nobody has verified.
    var idTokens: [IDToken?] { [tokens.idToken, receivedIDToken?.token] }

    static let key = StoreKey(trusted: "session")
    /// The highest valid generation: more refreshes than any session has seen.
    private static let lastGeneration = 1 << 40

    private enum CodingKeys: String, CodingKey {
        case version, tokenGeneration, user, authority, signIn, requestedScope, appleUser, resourceTokens
        case refreshBegunAt, refreshBegunAtBoot, refreshTarget, repeatedAt, repeatedAtBoot, refreshRefusal
        case lacksNewIDToken, receivedIDToken
        case storedTokens = "tokens"
    }

    var tokens: TokenSet {
        get { storedTokens.tokens }
        set { storedTokens.tokens = newValue }
    }

    /// Reads a stored record, and notes if another authority issued it, or this one for other APIs.
    init(_ item: SecretBytes, of authority: any TokenAuthority) throws(SessionRecordError) {
        try self.init(item)
        let isUsable = TokenTarget.isUsable(
            forResources: authority.record.resources,
            tokens.resources,
            configuredFor: self.authority.resources
        )
        isForeign = authority.id != self.authority.id || !isUsable
    }

    /// Reads a stored record of any authority.
    ///
    /// - Throws: ``SessionRecordError`` (`damaged`, `unknownVersion`).
    init(_ item: SecretBytes) throws(SessionRecordError) {
        let record = try Self(stored: item)
        guard record.isInRange else { throw SessionRecordError(.damaged) }
        self = record
        // Within the limits, and bound to the session's key.
        resourceTokens = ResourceTokens()
        for var token in record.resourceTokens.all {
            if tokens.accessToken.isBound { token.accessToken = token.accessToken.bound }
            resourceTokens.keep(token)
        }
    }

    private var isInRange: Bool {
        let moments =
            [refreshBegunAt, repeatedAt, refreshRefusal?.since, receivedIDToken?.receivedAt]
            + ([tokens.lifetime] + resourceTokens.all.map(\.lifetime)).flatMap { [$0.issuedAt, $0.expiresAt] }
        return (0...Self.lastGeneration).contains(tokenGeneration)
            && moments.allSatisfy { $0.map { Date.storable.contains($0.timeIntervalSince1970) } ?? true }
    }

    init(
        tokenGeneration: Int,
        tokens: TokenSet,
        user: SessionUser?,
        authority: AuthorityRecord,
        signIn: String,
        appleUser: String? = nil
    ) {
        (self.tokenGeneration, storedTokens, self.user) = (tokenGeneration, StoredTokens(tokens), user)
        (self.authority, self.signIn, self.appleUser) = (authority, signIn, appleUser)
    }

    /// Returns this record after a refresh; values that the response omits stay.
    ///
    /// - Parameter repeatedAt: The time of the response, if the request was a repetition.
    func refreshed(_ response: TokenSet, repeatedAt: ClockReading?) -> SessionRecord {
        var next = self
        next.tokens = tokens.merging(response)
        next.tokenGeneration += 1
        next.noteRefresh(begunAt: nil)
        (next.repeatedAt, next.repeatedAtBoot) = (repeatedAt?.date, repeatedAt?.bootTime)
        next.refreshRefusal = nil
        next.receivedIDToken = nil
        next.noteRequest(for: requestedScope ?? tokens.scope)
        return next
    }

    /// Notes the start of a refresh, or with nil its end.
    mutating func noteRefresh(begunAt reading: ClockReading?) {
        (refreshBegunAt, refreshBegunAtBoot) = (reading?.date, reading?.bootTime)
        if reading == nil { refreshTarget = nil }
    }

    /// Remembers the requested scope if the server has granted less.
    mutating func noteRequest(for scope: Scope?) {
        requestedScope = missing(from: scope).isEmpty ? nil : scope
    }

    func isOfSameSignIn(as other: SessionRecord) -> Bool {
        signIn == other.signIn && isForeign == other.isForeign && authority.id == other.authority.id
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

/// A server's refusal to refresh a session, or its failure for a day, that has not ended the session.
///
/// The session stays, and its access token works until it expires. If the refusals go on, only another sign-in helps.
public struct RefreshRefusal: Sendable, Hashable, Codable {
    /// The server's error code, if it sent one.
    public let code: ServerErrorCode?
    /// The server's message, if it sent one; untrusted, but sanitized and limited in length.
    public let message: String?
    /// The time of the first of these refusals, by this device's clock.
    public let since: Date
    /// The same moment by the clock of the machine's start; nil if it is unknown.
    private let sinceBoot: BootTime?
    /// Whether the server failed, as some do for an ended session; nil if it refused.
    private let isFailure: Bool?

    /// Creates a refusal, the first one or one that has gone on since the first.
    init(_ error: AuthSessionError, at now: ClockReading, since first: RefreshRefusal? = nil) {
        (code, message) = (error.serverCode, error.serverMessage)
        (since, sinceBoot) = first.map { ($0.since, $0.sinceBoot) } ?? (now.date, now.bootTime)
        isFailure = error.code == .refreshRefused ? nil : true
    }

    /// The seconds since the first of these refusals: by the clock of the machine's start, else by the wall clock.
    private func age(at now: ClockReading) -> Double {
        now.bootTime?.seconds(since: sinceBoot) ?? now.date.timeIntervalSince(since)
    }

    /// Returns the refusal after a refresh that was refused, or at which the server failed.
    ///
    /// A failure leaves an earlier refusal as it is, unless the server says, while it fails, that the session has ended.
    func after(_ error: AuthSessionError, at now: ClockReading) -> RefreshRefusal {
        if error.code == .refreshRefused { return RefreshRefusal(error, at: now, since: self) }
        // Nothing new: no code, or the known one.
        let isKnown = error.serverCode == nil || isFailure == true && code == error.serverCode
        // A wall clock that was set back must not keep the time from passing.
        return isKnown && (isFailure == nil || age(at: now) >= 0) ? self : RefreshRefusal(error, at: now)
    }

    /// Returns whether signing in again may help: the server has refused, or has failed for a day.
    func isLasting(at now: ClockReading) -> Bool { isFailure == nil || age(at: now) >= 86_400 }

    /// Returns whether the failing server had said, at least a minute ago, that the session has ended.
    func isConfirmed(at now: ClockReading) -> Bool {
        isFailure == true && code == .invalidGrant && age(at: now) >= 60
    }
}

extension SessionBackend {
    /// The key of the session's item in a store.
    package static let sessionKey = SessionRecord.key

    /// Returns the item of a session whose tokens an older version of an app kept elsewhere.
    ///
    /// - Parameter signIn: The name of the sign-in, which is the same whenever the session is migrated.
    package func sessionItem(
        of tokens: TokenSet,
        user: SessionUser?,
        signIn: String
    ) throws -> SecretBytes {
        try SessionRecord(tokenGeneration: 0, tokens: tokens, user: user, authority: authority.record, signIn: signIn)
            .encoded()
    }
}
