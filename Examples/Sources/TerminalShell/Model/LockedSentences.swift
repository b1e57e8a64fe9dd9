import SecureStore

/// What a person reads who can't get at the store: how that stands, why, and what leads on.
struct LockedSentences: Sendable, Hashable {
    let lead: String
    let reason: String
    /// What to do about it; nil where trying again is all there is.
    let advice: String?

    init(_ error: SecureStoreError) {
        reason = ShownText.of(error.description) ?? ""
        switch error.code {
        case .noSessionBus, .noProvider, .noCollection, .sandboxed:
            // Trying again would never lead on, and nobody knows of anybody who is signed in.
            lead = "There is no keyring here."
            advice = "Start it with --store file. The file's passphrase comes from SALLYPORT_PASSPHRASE."
        case .wrongPassphrase:
            lead = "You are not signed out."
            advice = "Quit, and start again with the right SALLYPORT_PASSPHRASE."
        default:
            lead = "You are not signed out."
            advice = nil
        }
    }
}
