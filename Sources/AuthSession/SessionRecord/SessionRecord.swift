import APIClient
import AuthCore
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The whole session as one item of the store: written whole, read whole, readable forever.
///
/// It carries what a refresh needs, so that a stored session works with nothing else.
struct SessionRecord: Sendable, Equatable {
    /// How many times the tokens have been replaced since the sign-in.
    var generation: Int
    var tokens: TokenSet
    var user: User?
    var backend: SessionBackend
    /// When a refresh of these tokens was first begun whose outcome nobody has written down yet.
    ///
    /// By the wall clock of who began it. What comes after a crash, a lost answer or a lost network reads here that the
    /// server may have replaced the tokens already.
    var refreshBegunAt: Date?
    /// Which sign-in it is of: a random name, so that who signs out removes what it signed out of and nothing else.
    ///
    /// Nil in records of the first releases, until a refresh names it (``signInName``).
    var signIn: String?
    /// When these tokens came as the answer to a refresh that had been sent before; nil where they did not.
    ///
    /// The first sending may still be on its way. It must reach the server before these tokens are replaced in turn, or
    /// it would show a token that is two rotations old, as a thief would.
    var repeatedAt: Date?
    /// What the access token was good for at the sign-in, where the server has narrowed it since.
    var grantedScope: Scope?

    /// The item's name in the store.
    static let key = StoreKey(trusted: "session")
    /// Where an item is kept that could not be read and had to make room for a new session.
    static let unreadableKey = StoreKey(trusted: "session.unreadable")

    /// The bytes to store.
    ///
    /// Secret.
    func encoded() throws -> SecretBytes {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return SecretBytes(try encoder.encode(SessionRecordFormat.Version1(self)))
    }

    /// Reads a stored record.
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
        generation: Int,
        tokens: TokenSet,
        user: User?,
        backend: SessionBackend,
        refreshBegunAt: Date? = nil,
        signIn: String? = nil,
        repeatedAt: Date? = nil,
        grantedScope: Scope? = nil
    ) {
        self.generation = generation
        self.tokens = tokens
        self.user = user
        self.backend = backend
        self.refreshBegunAt = refreshBegunAt
        self.signIn = signIn
        self.repeatedAt = repeatedAt
        self.grantedScope = grantedScope
    }

    /// This record as a refresh leaves it.
    ///
    /// - Parameters:
    ///   - answer: What the server answered; what it omits stays.
    ///   - repeatedAt: When it came, where the refresh had been sent before.
    /// - Returns: The next generation, its refresh ended.
    func refreshed(_ answer: TokenSet, repeatedAt: Date?) -> SessionRecord {
        var next = self
        next.tokens = tokens.merging(answer)
        next.generation += 1
        next.refreshBegunAt = nil
        next.repeatedAt = repeatedAt
        next.signIn = signInName
        let granted = grantedScope ?? tokens.scope
        next.grantedScope = next.missing(from: granted).isEmpty ? nil : granted
        return next
    }

    /// The name of the sign-in.
    ///
    /// For a record of the first releases it is made of the access token, so that all processes that have read the record
    /// give it the same name, and find that name in what the first of them to refresh writes.
    var signInName: String {
        if let signIn { return signIn }
        return Hexadecimal.encode(SecretBytes(Array(tokens.accessToken.unredacted.utf8)).sha256.prefix(16))
    }

    /// Whether both are of one sign-in, as far as they say.
    ///
    /// Older releases name none, and drop the name: then it is one if the server has named the same user in both.
    func isOfSameSignIn(as other: SessionRecord) -> Bool {
        guard backend.isSame(as: other.backend) else { return false }
        if signInName == other.signInName { return true }
        // Random, and there before the server has said who it is.
        if signIn != nil, other.signIn != nil { return false }
        return User.isSame(user, as: other.user)
    }

    /// What the access token was good for at the sign-in and is not any more.
    var missingScope: Scope? {
        let missing = missing(from: grantedScope)
        return missing.isEmpty ? nil : Scope(missing.joined(separator: " "))
    }

    private func missing(from granted: Scope?) -> [String] {
        guard let granted, let scope = tokens.scope else { return [] }
        let kept = Set(scope.values)
        return granted.values.filter { !kept.contains($0) }
    }
}
