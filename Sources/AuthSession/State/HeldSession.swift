import AuthCore
import SecureStore

/// A session in the hand: what is known of it, and what the store knows.
struct HeldSession: Sendable {
    var record: SessionRecord
    /// When its access token is due and ends.
    var deadline: TokenDeadline
    /// Whether that was counted from a moment of the wall clock that the store holds: the clock may be wrong.
    var isDeadlineRead = false
    /// What this process last read from the store or wrote to it; nil where it did neither.
    var stored: StoredItem?
    /// Whether the session is kept beyond this process.
    let isRemembered: Bool
    /// What its person's sign-in takes the place of, as long as the store may still hold that.
    var replaced = Replaced.nothing
    /// Whether the store was emptied for it, since it is not to be kept.
    var isStoreEmptied = false
    /// Why the last write did not succeed, where it did not.
    ///
    /// The tokens live on here and the write is tried again.
    var unsaved: SecureStoreError?
    /// When ``SessionRecord/refreshBegunAt`` was, by the monotonic clock.
    var begunAt: Duration?
    /// When ``SessionRecord/repeatedAt`` was, by the monotonic clock.
    var repeatedAt: Duration?
    /// Whether a refresh of these tokens was begun before whose answer nobody got.
    var isReplay = false

    /// Whether whoever signs out of this session signs out of a record in the store, too.
    ///
    /// Of the same sign-in; and where this one was never seen there, of what it was to replace.
    func answersFor(_ record: SessionRecord) -> Bool {
        if record.isOfSameSignIn(as: self.record) { return true }
        guard stored == nil else { return false }
        return switch replaced {
        case .unknown: true
        case .nothing: false
        case .record(let replaced): record.isOfSameSignIn(as: replaced)
        }
    }

    /// Takes over what became of the same tokens' write.
    mutating func noteWrite(_ written: HeldSession) {
        (stored, unsaved, replaced) = (written.stored, written.unsaved, written.replaced)
    }
}

/// What a sign-in takes the place of.
enum Replaced: Sendable {
    /// The store was not read.
    case unknown
    /// Nothing, or nothing that can be read.
    case nothing
    /// What was in the hand, or else in the store.
    case record(SessionRecord)

    /// That, where it is known.
    var record: SessionRecord? {
        if case .record(let record) = self { record } else { nil }
    }
}

/// An item of the store, and the tokens in it.
///
/// The tokens tell whose item it is: another process may have written down that it begins a refresh of the same ones,
/// and its item is another one, but still ours to replace.
struct StoredItem: Sendable {
    let item: SecretBytes
    let tokens: TokenSet
}

extension TokenSet {
    /// Whether these are the same tokens, whatever is known of their lifetime: that has been through a file.
    func isSame(as other: TokenSet) -> Bool {
        accessToken == other.accessToken && refreshToken == other.refreshToken
    }
}
