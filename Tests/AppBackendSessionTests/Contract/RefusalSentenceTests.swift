// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import Testing

@testable import AppBackendSession
@testable import AuthSession
@testable import AuthSessionTests

/// The sentence about a refused sign-in, which depends on the server's code and never on an unknown server's text.
@Suite struct RefusalSentenceTests {
    private static let conflict = "This account is registered as a customer. Contact support to become a driver."

    private static func message(
        _ code: String?,
        _ text: String? = nil,
        retryAfter: Duration? = nil,
        role: String? = nil
    ) -> String? {
        let code = code.map { ServerErrorCode(rawValue: $0) }
        let error = AuthSessionError(.signInRefused, serverCode: code, serverMessage: text, retryAfter: retryAfter)
        return RefusalSentence.text(for: error, role: role)
    }

    @Test(
        arguments: [
            nil, "invalid_request", "invalid_identity_token", "nonce_mismatch", "token_expired", "invalid_api_key",
            "invalid_grant", "internal_error", "ROLE_CONFLICT", "role_conflict ", "",
        ] as [String?]
    )
    func `the text with any other code is not shown`(code: String?) {
        #expect(Self.message(code, "SELECT * FROM account") == nil)
        #expect(Self.message(code) == nil)
    }

    @Test func `a wrong password has the library's own sentence`() {
        let sentence = "The e-mail address or the password is wrong."
        #expect(Self.message("invalid_credentials", "bcrypt mismatch") == sentence)
        #expect(Self.message("invalid_credentials") == sentence)
    }

    @Test(
        arguments: [
            (nil, "later"), (.zero, "later"), (.milliseconds(1), "in 2 seconds"), (.seconds(1), "in 2 seconds"),
            (.seconds(30), "in 30 seconds"), (.milliseconds(30_500), "in 31 seconds"),
            (.seconds(119), "in 119 seconds"),
            (.seconds(120), "in 2 minutes"), (.seconds(121), "in 3 minutes"), (.seconds(3_600), "in 60 minutes"),
            (.seconds(7_140), "in 119 minutes"), (.seconds(7_141), "in 2 hours"), (.seconds(86_400), "in 24 hours"),
            (.seconds(172_801), "later"), (.seconds(Int64.max), "later"),
        ] as [(Duration?, String)]
    )
    func `too many attempts have a sentence with the wait, rounded up`(wait: Duration?, words: String) {
        let sentence = "Too many attempts. Try again \(words)."
        #expect(Self.message("rate_limited", "bucket 7 is empty", retryAfter: wait) == sentence)
    }

    @Test func `a 429 without a code is a limit too`() {
        let response = APIError(.rateLimited, status: 429, serverMessage: "<html>", retryAfter: .seconds(5))
        let error = AuthSessionError(.signInRefused, underlying: response)
        #expect(RefusalSentence.text(for: error) == "Too many attempts. Try again in 5 seconds.")
    }

    @Test func `the server's sentence about a role conflict is shown as it is`() {
        #expect(Self.message("role_conflict", Self.conflict) == Self.conflict)
        #expect(
            Self.message("role_conflict", "Dieses Konto gehört einem Kunden.") == "Dieses Konto gehört einem Kunden."
        )
        #expect(Self.message("role_conflict", Self.conflict, role: "customer") == Self.conflict)
    }

    @Test(
        arguments: [
            ("driver", conflict),
            ("customer", "This account is registered as a driver. Contact support to become a customer."),
            ("admin", "This account is registered with another role. Contact support to change it."),
            (nil, "This account is registered with another role. Contact support to change it."),
        ] as [(String?, String)]
    )
    func `a role conflict without a sentence has the contract's, by the app's role`(role: String?, sentence: String) {
        #expect(Self.message("role_conflict", role: role) == sentence)
        #expect(Self.message("role_conflict", "\u{1B}\u{202E}\n", role: role) == sentence)
    }

    @Test func `control characters are removed from the server's sentence, and its length is limited`() {
        let hostile = "\u{1B}[31mRegistered\u{202E} as\r\n a\u{0} driver.\u{9B}2J" + String(repeating: "x", count: 400)
        let shown = Self.message("role_conflict", hostile)
        #expect(shown?.hasPrefix("[31mRegistered as a driver.2J") == true)
        #expect(shown?.unicodeScalars.count == 300)
    }

    @Test func `the error of a call in an app's own sign-in follows the same rule`() {
        let refused = APIError(
            .refused,
            status: 400,
            serverCode: ServerErrorCode(rawValue: "invalid"),
            serverMessage: "at line 3"
        )
        #expect(RefusalSentence.text(for: refused) == nil)
        let conflict = APIError(.refused, status: 409, serverCode: .roleConflict, serverMessage: Self.conflict)
        #expect(RefusalSentence.text(for: conflict) == Self.conflict)
        let failed = APIError(.serverFailed, status: 500, serverCode: .roleConflict, serverMessage: Self.conflict)
        #expect(RefusalSentence.text(for: failed) == nil)
        #expect(RefusalSentence.text(for: APIError(.unreachable)) == nil)
    }

    @Test func `the description names an unknown code, and not the server's text`() {
        let error = AuthSessionError(
            .signInRefused,
            serverCode: ServerErrorCode(rawValue: "invalid_request"),
            serverMessage: "at line 3"
        )
        #expect(error.description == "The server refused the sign-in (invalid_request).")
        #expect(AuthSessionError(.signInRefused).description == "The server refused the sign-in.")
    }

    @Test func `a backend that refuses with a known code has a sentence, and with an unknown one or a fault none`()
        async throws
    {
        let fixture = try Fixture(.sessionToken)
        for (status, code, text, shown) in [
            (409, "role_conflict", Self.conflict, Self.conflict), (400, "invalid_request", "DROP TABLE", nil),
            (500, "role_conflict", "panic: nil", nil),
            (429, "rate_limited", "x", "Too many attempts. Try again later."),
        ] as [(Int, String, String, String?)] {
            fixture.backend.on(Backend.apple) { _ in Backend.failure(status, code: code, message: text) }
            let error = try await sessionError { try await fixture.signIn() }
            #expect(RefusalSentence.text(for: error) == shown, "\(status) \(code)")
        }
    }
}
