// SPDX-License-Identifier: Apache-2.0

import AuthSession
import AuthUI
import SecureStore
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("The state of the session on the screens")
struct StateSentenceTests {
    @Test(
        arguments: [
            .endedByServer, .refreshResponseLost, .expired, .signedOutElsewhere, .unreadableRecord(.damaged),
            .unreadableRecord(.otherBackend),
        ] as [SignedOutReason]
    )
    func `the reason for a sign-out is shown above the button`(reason: SignedOutReason) throws {
        let sentence = try #require(AuthenticationManager.message(for: reason))
        let model = ShellModel.standing(.signedOut(reason))
        let lines = model.lines()
        let why = try #require(lines.firstIndex { $0.contains(sentence.prefix(30)) })
        let button = try #require(lines.firstIndex { $0.contains("Sign in with Apple") })
        #expect(why < button)
        #expect(model.announced.contains(sentence))
    }

    @Test func `a registered device is not said to get notifications, because there is no push service`() {
        var model = ShellModel.atMain
        let state = SessionState.signedIn(ShellModel.ada, .online)
        _ = model.handle(.facts(ShellFacts(state: state, isDeviceRegistered: true)))
        _ = model.handle(.key(.character("3")))
        for text in [model.text(), model.announced.joined(separator: "\n")] {
            #expect(text.contains("The backend knows this device."))
            #expect(!text.contains("notifications"))
        }
    }

    @Test(arguments: [SignedOutReason.noSession, .userSignedOut])
    func `no reason is shown without an earlier session or after a sign-out by the user`(reason: SignedOutReason) {
        #expect(ShellModel.standing(.signedOut(reason)).signedOutSentence == nil)
    }

    @Test(arguments: [SecureStoreError.Code.noSessionBus, .noProvider, .noCollection, .sandboxed])
    func `a machine without a keyring gets a hint to use the file store`(code: SecureStoreError.Code) {
        let model = ShellModel.standing(.locked(SecureStoreError(code)))
        for text in [model.text(), model.text(40, 12), model.announced.joined(separator: "\n")] {
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("There is no keyring here."))
            #expect(words.contains("Start it with --store file."))
            #expect(words.contains("SALLYPORT_PASSPHRASE"))
            #expect(!words.contains("You are not signed out."))
        }
    }

    @Test func `a wrong passphrase gets the advice to use the right one`() {
        let model = ShellModel.standing(.locked(SecureStoreError(.wrongPassphrase)))
        let advice = "Quit, and start again with the right SALLYPORT_PASSPHRASE."
        #expect(model.announced.contains(advice))
        #expect(model.text().split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(advice))
    }

    @Test(arguments: [SecureStoreError.Code.locked, .timedOut, .denied, .promptDismissed, .busy, .damaged])
    func `an unreadable store is not shown as a sign-out`(code: SecureStoreError.Code) {
        let sentences = LockedSentences(SecureStoreError(code))
        #expect(sentences.lead == "You are not signed out.")
        #expect(sentences.advice == nil)
    }
}
