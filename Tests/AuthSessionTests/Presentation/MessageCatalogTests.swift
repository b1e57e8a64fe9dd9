// SPDX-License-Identifier: Apache-2.0

import AuthSession
import SecureStore
import Testing

@Suite struct MessageCatalogTests {
    /// A catalog whose translation of a key is the key in brackets.
    private static let bracketed = MessageCatalog { "[\($0)]" }

    @Test func `the table has the sentence of each code of a session's error`() {
        let sentences = MessageCatalog.sentences
        for code in AuthSessionError.Code.allCases {
            let error = AuthSessionError(code)
            guard error.presentation == .ownSentence else { continue }
            #expect(sentences["AuthSessionError.\(code)"] == error.description)
        }
    }

    @Test func `the table has the sentence of each code of a store's error`() {
        let sentences = MessageCatalog.sentences
        for code in SecureStoreError.Code.allCases {
            #expect(sentences["SecureStoreError.\(code)"] == SecureStoreError(code).description)
        }
    }

    @Test(
        arguments: [
            (.signedOutElsewhere, "signedOutElsewhere"), (.endedByServer, "endedByServer"),
            (.refreshResponseLost, "refreshResponseLost"), (.expired, "expired"),
            (.appleIDRevoked, "appleIDRevoked"),
            (.unreadableRecord(.otherBackend), "otherBackend"), (.unreadableRecord(.unknownVersion), "unknownVersion"),
            (.unreadableRecord(.damaged), "unreadableRecord"),
        ] as [(SignedOutReason, String)]
    )
    func `the table has the explanation of each reason for a sign-out`(reason: SignedOutReason, name: String) throws {
        let explanation = try #require(reason.explanation)
        #expect(MessageCatalog.sentences["SignedOutReason.\(name)"] == explanation)
        #expect(MessageCatalog.english.explanation(of: reason) == explanation)
        #expect(Self.bracketed.explanation(of: reason) == "[SignedOutReason.\(name)]")
    }

    @Test func `a sign-out by the user needs no explanation`() {
        #expect(Self.bracketed.explanation(of: .userSignedOut) == nil)
        #expect(Self.bracketed.explanation(of: .noSession) == nil)
    }

    @Test func `a catalog translates an error`() {
        #expect(Self.bracketed.message(for: AuthSessionError(.busy)) == "[AuthSessionError.busy]")
        #expect(Self.bracketed.message(for: SecureStoreError(.locked)) == "[SecureStoreError.locked]")
    }

    @Test func `a store's error is translated if it is the reason for a session's error`() {
        let error = AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.locked))
        #expect(MessageCatalog.english.message(for: error) == "The keyring is locked.")
        #expect(Self.bracketed.message(for: error) == "[SecureStoreError.locked]")
    }

    @Test func `a key without a translation has the English sentence`() {
        let error = AuthSessionError(.notSignedIn)
        #expect(MessageCatalog { _ in nil }.message(for: error) == "You are not signed in.")
    }

    @Test func `a cancelled sign-in has no sentence`() {
        #expect(MessageCatalog.english.message(for: CancellationError()) == nil)
        #expect(MessageCatalog.english.message(for: AuthSessionError(.superseded)) == nil)
    }

    @Test func `an error without a sentence of its own gets the general one`() {
        struct Unknown: Error {}
        #expect(MessageCatalog.english.message(for: Unknown()) == "Something went wrong. Try again.")
        #expect(Self.bracketed.message(for: Unknown()) == "[AuthenticationManager.somethingWentWrong]")
        #expect(
            Self.bracketed.message(for: AuthSessionError(.unreachable)) == "[AuthenticationManager.somethingWentWrong]"
        )
    }
}
