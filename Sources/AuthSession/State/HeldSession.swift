import AuthCore
import SecureStore

/// A session in the hand: what is known of it, and what the store knows.
struct HeldSession: Sendable {
    var record: SessionRecord
    /// When its access token is due and ends.
    var deadline: TokenDeadline
    /// What this process last read from the store or wrote to it; nil where it did neither.
    var stored: StoredItem?
    /// Whether the session is kept beyond this process.
    let isRemembered: Bool
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
