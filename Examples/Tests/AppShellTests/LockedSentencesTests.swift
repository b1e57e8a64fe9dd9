// SPDX-License-Identifier: Apache-2.0

import AppShell
import SecureStore
import Testing

@Suite("The sentences about a store that can't be read")
struct LockedSentencesTests {
    @Test(arguments: [SecureStoreError.Code.noSessionBus, .noProvider, .noCollection])
    func `a machine without a keyring gets a hint to use the file store`(code: SecureStoreError.Code) {
        let sentences = LockedSentences(SecureStoreError(code))
        #expect(sentences.lead == "There is no keyring here.")
        let advice = sentences.advice ?? ""
        #expect(advice.contains("Start it with --store file.") && advice.contains("SALLYPORT_PASSPHRASE"))
        #expect(!sentences.canUnlock)
    }

    @Test func `a sandbox without a keyring gets a hint to use the portal`() {
        let sentences = LockedSentences(SecureStoreError(.sandboxed))
        #expect(sentences.lead == "There is no keyring here.")
        #expect(sentences.advice == "Start it with --store portal.")
        #expect(!sentences.canUnlock)
    }

    /// The error tells of a file, and a user of a Flatpak may have no command line.
    @Test(
        arguments: [
            (.noSessionBus, "secret portal is missing"), (.noProvider, "secret portal is missing"),
            (.wrongPassphrase, "no longer has this app's key"),
        ] as [(SecureStoreError.Code, String)]
    )
    func `without the portal's key the user is not shown as signed out, and the advice is no option`(
        code: SecureStoreError.Code,
        words: String
    ) {
        let sentences = LockedSentences(SecureStoreError(code), isPortal: true)
        #expect(sentences.lead == "You are not signed out.")
        let advice = sentences.advice ?? ""
        #expect(advice.contains(words) && !advice.contains("--store") && !advice.contains("SALLYPORT_PASSPHRASE"))
        #expect(!sentences.canUnlock)
    }

    @Test func `a wrong passphrase gets the advice to use the right one`() {
        let sentences = LockedSentences(SecureStoreError(.wrongPassphrase))
        #expect(sentences.advice == "Quit, and start again with the right SALLYPORT_PASSPHRASE.")
    }

    @Test(arguments: [SecureStoreError.Code.locked, .timedOut, .denied, .promptDismissed, .busy, .damaged])
    func `an unreadable store is not shown as a sign-out`(code: SecureStoreError.Code) {
        let sentences = LockedSentences(SecureStoreError(code))
        #expect(sentences.lead == "You are not signed out.")
        #expect(sentences.advice == nil)
        #expect(sentences.canUnlock == [.locked, .promptDismissed].contains(code))
    }
}
