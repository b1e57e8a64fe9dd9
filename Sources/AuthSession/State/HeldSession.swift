import AuthCore
import SecureStore

/// A session in the hand: what is known of it, and what the store knows.
struct HeldSession: Sendable {
    var record: SessionRecord
    /// What this process last read from the store or wrote to it; nil where it did neither.
    var stored: SecretBytes?
    /// Whether the session is kept beyond this process.
    let isRemembered: Bool
    /// Why the last write did not succeed, where it did not.
    ///
    /// The tokens live on here and the write is tried again.
    var unsaved: SecureStoreError?
}
