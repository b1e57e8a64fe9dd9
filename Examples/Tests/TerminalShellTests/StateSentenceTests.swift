import AuthSession
import SecureStore
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("What the screens say of the session")
struct StateSentenceTests {
    @Test(
        arguments: [
            .endedByServer, .refreshResponseLost, .expired, .signedOutElsewhere, .unreadableRecord(.damaged),
            .unreadableRecord(.otherBackend),
        ] as [SignedOutReason]
    )
    func `who is signed out reads why, above the button`(reason: SignedOutReason) throws {
        let sentence = try #require(reason.explanation)
        let model = ShellModel.standing(.signedOut(reason))
        let lines = model.lines()
        let why = try #require(lines.firstIndex { $0.contains(sentence.prefix(30)) })
        let button = try #require(lines.firstIndex { $0.contains("Sign in with Apple") })
        #expect(why < button)
        #expect(model.told.contains(sentence))
    }

    @Test(arguments: [SignedOutReason.noSession, .userSignedOut])
    func `who knows why reads nothing of it`(reason: SignedOutReason) {
        #expect(ShellModel.standing(.signedOut(reason)).signedOutSentence == nil)
    }

    @Test(arguments: [SecureStoreError.Code.noSessionBus, .noProvider, .noCollection, .sandboxed])
    func `a machine without a keyring leads on to the file`(code: SecureStoreError.Code) {
        let model = ShellModel.standing(.locked(SecureStoreError(code)))
        for text in [model.text(), model.text(40, 12), model.told.joined(separator: "\n")] {
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("There is no keyring here."))
            #expect(words.contains("Start it with --store file."))
            #expect(words.contains("SALLYPORT_PASSPHRASE"))
            #expect(!words.contains("You are not signed out."))
        }
    }

    @Test func `who gave a wrong passphrase is told to give the right one`() {
        let model = ShellModel.standing(.locked(SecureStoreError(.wrongPassphrase)))
        let advice = "Quit, and start again with the right SALLYPORT_PASSPHRASE."
        #expect(model.told.contains(advice))
        #expect(model.text().split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(advice))
    }

    @Test(arguments: [SecureStoreError.Code.locked, .timedOut, .denied, .promptDismissed, .busy, .damaged])
    func `a store that can't be read now signs nobody out`(code: SecureStoreError.Code) {
        let sentences = LockedSentences(SecureStoreError(code))
        #expect(sentences.lead == "You are not signed out.")
        #expect(sentences.advice == nil)
    }
}
