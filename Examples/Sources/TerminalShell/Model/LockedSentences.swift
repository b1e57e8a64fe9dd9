// SPDX-License-Identifier: Apache-2.0

import SecureStore

/// The sentences about a store that can't be read: the state, the reason and the advice.
struct LockedSentences: Sendable, Hashable {
    let lead: String
    let reason: String
    /// The advice, or nil if the user can only try again.
    let advice: String?

    init(_ error: SecureStoreError) {
        reason = ShownText.of(error.description) ?? ""
        switch error.code {
        case .noSessionBus, .noProvider, .noCollection, .sandboxed:
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
