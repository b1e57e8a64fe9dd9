// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import UmuveBrands

extension TerminalSuite {
    @Suite("A refused sign-in")
    struct RefusedSignInTests {
        private static let general = "Something went wrong. Try again."

        /// Signs in at a backend that refuses, and returns the text below the button.
        private func refuse(
            _ brand: Brand,
            _ status: HTTPResponse.Status,
            _ body: String,
            headers: HTTPFields = [:],
            waitingFor sentence: String,
            options: String = ""
        ) async throws -> String {
            var shown = ""
            try await ShellStage.run { stage in
                try await RefusingBackend.run(status, body, headers: headers) { address in
                    try await stage.launch(brand, backend: address, options: options) { terminal in
                        if brand == .business {
                            try await terminal.showForm()
                            try await terminal.enter(email: "ada@example.com", password: "correct horse")
                            shown = try await terminal.wait(for: sentence, below: TerminalSession.passwordButton)
                        } else {
                            try await terminal.skipOnboarding(brand)
                            try await terminal.press("Enter")
                            shown = try await terminal.wait(for: sentence, below: TerminalSession.signInButton)
                        }
                    }
                }
            }
            return shown
        }

        @Test(
            arguments: zip(
                Brand.all,
                [
                    "This account is registered as a driver. Contact support to become a customer.",
                    "This account is registered as a customer. Contact support to become a driver.",
                ]
            )
        )
        func `a role conflict without a sentence has the contract's`(brand: Brand, sentence: String) async throws {
            _ = try await refuse(brand, .conflict, #"{"error":{"code":"role_conflict"}}"#, waitingFor: sentence)
        }

        @Test func `a driver at the customer's app reads the backend's sentence`() async throws {
            try await ShellStage.run { stage in
                try await stage.launch(.driver) { try await $0.signIn(.driver) }
                try await stage.launch(.customer) { terminal in
                    try await terminal.skipOnboarding()
                    try await terminal.press("Enter")
                    try await terminal.wait(
                        for: "This account is registered as a driver. Contact support to become a customer.",
                        below: TerminalSession.signInButton
                    )
                }
            }
        }

        @Test(arguments: [
            #"{"error":{"code":"invalid_request","message":"Call 555 0100\u001b[2J\u001b]0;pwned\u0007 now"}}"#,
            #"{"error":{"code":"\u001b[31mrole_conflict","message":"Call 555 0100 now"}}"#,
            #"{"error":"role conflict","error_description":"Call 555 0100 now"}"#,
            "<html>Call 555 0100 now</html>",
        ])
        func `the text of any other refusal is not shown`(body: String) async throws {
            for brand in [Brand.customer, .business] {
                let shown = try await refuse(brand, .badRequest, body, waitingFor: Self.general)
                #expect(!shown.contains("Call") && !shown.contains("555"), "\(shown)")
            }
        }

        @Test func `a role conflict's sentence can't control the terminal`() async throws {
            let body = #"{"error":{"code":"role_conflict","message":"A\u001b[2J\u001b]0;pwned\u0007\r\nB\u202ec"}}"#
            let shown = try await refuse(.driver, .conflict, body, waitingFor: "A[2J]0;pwnedBc")
            #expect(shown.contains("q quit"))
        }

        @Test(arguments: [500, 503]) func `the text of a failing backend is not shown`(status: Int) async throws {
            let body = #"{"error":{"code":"role_conflict","message":"panic at main.go"}}"#
            let shown = try await refuse(
                .customer,
                HTTPResponse.Status(code: status),
                body,
                waitingFor: Self.general
            )
            #expect(!shown.contains("panic"))
        }

        @Test func `too many attempts show the wait`() async throws {
            _ = try await refuse(
                .business,
                .tooManyRequests,
                #"{"error":{"code":"rate_limited","message":"bucket 7"}}"#,
                headers: [.retryAfter: "300"],
                waitingFor: "Too many attempts. Try again in 5 minutes."
            )
        }
    }
}
