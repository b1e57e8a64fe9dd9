// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession
import AuthUI
import OpenIDConnect
import SecureStore
import Testing

/// The sentence that a user sees for an error, and on the sign-in screen.
@Suite struct MessageTests {
    private static let general = "Something went wrong. Try again."

    private static func message(_ error: any Error) -> String? { AuthenticationManager.message(for: error) }

    @Test func `a session's error has its own sentence, unless the user can't use the details`() {
        let general: [AuthSessionError.Code] = [
            .unreachable, .signInRefused, .profileRefused, .invalidResponse, .storeUnavailable, .contractMismatch,
        ]
        let hidden: [AuthSessionError.Code] = [.superseded, .signInCancelled]
        for code in AuthSessionError.Code.allCases {
            let error = AuthSessionError(code)
            let own = hidden.contains(code) ? nil : error.description
            #expect(Self.message(error) == (general.contains(code) ? Self.general : own))
        }
    }

    @Test func `a store's error has its own sentence, unless it is the reason for a session's error`() {
        for code in SecureStoreError.Code.allCases {
            #expect(Self.message(SecureStoreError(code)) == SecureStoreError(code).description)
        }
        let error = AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.locked))
        #expect(Self.message(error) == Self.general)
    }

    @Test func `a cancelled sign-in has no sentence`() {
        #expect(Self.message(CancellationError()) == nil)
        #expect(Self.message(OpenIDError(.authorization, .cancelled)) == nil)
        #expect(Self.message(OpenIDError(.deviceAuthorization, .cancelled)) == nil)
    }

    @Test func `a provider's refusal has the general sentence, and another failure its own`() {
        #expect(Self.message(OpenIDError(.authorization, .refused)) == Self.general)
        #expect(Self.message(OpenIDError(.pushedAuthorization, .unsupported)) == Self.general)
        let timeout = OpenIDError(.authorization, .timedOut)
        #expect(Self.message(timeout) == timeout.description)
        #expect(Self.message(OpenIDError(.deviceAuthorization, .refused)) == Self.general)
        #expect(Self.message(OpenIDError(.discovery, .unreachable)) == Self.general)
    }

    @Test(
        arguments: [
            (OpenIDError(.authorization, .timedOut), "The browser did not return in time."),
            (OpenIDError(.authorization, .browserUnavailable), "The browser can't be used."),
            (OpenIDError(.authorization, .noBrowser), "No browser could be opened."),
        ]
    )
    func `the browser's own errors have their own sentences`(error: OpenIDError, sentence: String) {
        #expect(Self.message(error) == sentence)
    }

    @Test func `an error without a sentence of its own gets the general one`() {
        struct Unknown: Error {}
        #expect(Self.message(Unknown()) == Self.general)
        #expect(Self.message(APIError(.unreachable)) == Self.general)
    }

    @Test(arguments: [.noSession, .userSignedOut] as [SignedOutReason])
    func `a reason for a sign-out that the user knows has no sentence`(reason: SignedOutReason) {
        #expect(AuthenticationManager.message(for: reason) == nil)
    }

    @Test func `every other reason has its own sentence`() {
        let reasons: [SignedOutReason] = [
            .signedOutElsewhere, .endedByServer, .refreshResponseLost, .expired, .appleIDRevoked,
            .unreadableRecord(.otherBackend), .unreadableRecord(.unknownVersion), .unreadableRecord(.damaged),
        ]
        let sentences = reasons.compactMap { AuthenticationManager.message(for: $0) }
        #expect(Set(sentences).count == reasons.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") })
        #expect(AuthenticationManager.message(for: .appleIDRevoked)?.hasSuffix("Sign in again.") == true)
    }
}
