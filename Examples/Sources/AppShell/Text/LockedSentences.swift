// SPDX-License-Identifier: Apache-2.0

public import SecureStore

/// The sentences about a store that can't be read: the state, the reason and the advice.
public struct LockedSentences: Sendable, Hashable {
    public let lead: String
    public let reason: String
    /// The advice, or nil if the user can only try again.
    public let advice: String?
    /// Whether the store can ask the user to unlock it.
    public let canUnlock: Bool

    /// Creates the sentences for an error of the store.
    ///
    /// - Parameter isPortal: Whether the store is the file under the secret portal's key. Its error tells of a file, and
    ///   so of a session.
    public init(_ error: SecureStoreError, isPortal: Bool = false) {
        reason = ShownText.of(error.description) ?? ""
        canUnlock = error.code == .locked || error.code == .promptDismissed
        switch error.code {
        case .noSessionBus where isPortal, .noProvider where isPortal:
            lead = "You are not signed out."
            advice = "The desktop's secret portal is missing. Start it, and try again."
        case .wrongPassphrase where isPortal:
            lead = "You are not signed out."
            advice = """
                Your keyring no longer has this app's key: it was replaced or reset. Restore the keyring, and try again. \
                If it is lost, remove this app's data, and sign in again.
                """
        case .sandboxed:
            lead = "There is no keyring here."
            advice = "Start it with --store portal."
        case .noSessionBus, .noProvider, .noCollection:
            // Trying again would never help, and no session is known.
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
