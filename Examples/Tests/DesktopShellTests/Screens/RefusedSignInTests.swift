// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import UmuveBrands

extension DesktopSuite {
    @Suite("A refused sign-in")
    struct RefusedSignInTests {
        /// Signs in at a backend that refuses, and returns what the screen has below the button.
        private func refuse(
            _ brand: Brand,
            _ status: HTTPResponse.Status,
            _ body: String,
            headers: HTTPFields = [:],
            waitingFor sentence: String
        ) async throws -> [String] {
            var shown: ArraySlice<String> = []
            try await DesktopStage.run { stage in
                try await RefusingBackend.run(status, body, headers: headers) { address in
                    try await stage.launch(brand, backend: address) { app in
                        let button = brand == .business ? "Sign in" : DesktopApp.signInButton
                        try await app.skipOnboarding(brand)
                        if brand == .business {
                            try await app.signInWithPassword()
                        } else {
                            try await app.press(button)
                        }
                        let screen = try await app.wait(for: sentence)
                        let place = try #require(screen.firstIndex(of: "button: \(button)"))
                        shown = screen[place...]
                    }
                }
            }
            #expect(shown.contains("alert: \(sentence)"), "\(shown)")
            return Array(shown)
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

        @Test(
            arguments: [
                #"{"error":{"code":"invalid_request","message":"Call 555 0100\u001b[2J\u001b]0;pwned\u0007 now"}}"#,
                #"{"error":{"code":"\u001b[31mrole_conflict","message":"Call 555 0100 now"}}"#,
                #"{"error":"role conflict","error_description":"Call 555 0100 now"}"#,
                "<html>Call 555 0100 now</html>",
            ],
            [Brand.customer, .business]
        )
        func `the text of any other refusal is not shown`(body: String, brand: Brand) async throws {
            let shown = try await refuse(brand, .badRequest, body, waitingFor: "Something went wrong. Try again.")
            #expect(!shown.contains { $0.contains("Call") || $0.contains("555") }, "\(shown)")
        }

        @Test func `a role conflict's sentence has no control characters, and stays on its line`() async throws {
            let body = #"{"error":{"code":"role_conflict","message":"A\u001b[2J\u001b]0;pwned\u0007\r\nB\u202ec"}}"#
            _ = try await refuse(.driver, .conflict, body, waitingFor: "A[2J]0;pwnedBc")
        }

        @Test func `too many attempts show the wait`() async throws {
            let body = #"{"error":{"code":"rate_limited","message":"bucket 7"}}"#
            let sentence = "Too many attempts. Try again in 5 minutes."
            _ = try await refuse(
                .business,
                .tooManyRequests,
                body,
                headers: [.retryAfter: "300"],
                waitingFor: sentence
            )
        }
    }
}
