// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import Testing

@testable import AuthSession

/// Changes that follow each reason for being signed out.
@Suite(.timeLimit(.minutes(5)))
struct SignedOutChangeTests {
    /// A reason, and the steps that lead to it.
    struct Cause: Sendable, CustomTestStringConvertible {
        let reason: SignedOutReason
        let arrange: StateChange.Step

        var testDescription: String { "\(reason)" }
    }

    private static let otherBackend = Fixture.record(
        #""accessToken":"a-9","refreshToken":"r-9""#,
        user: #"{"id":"u1","missing":[]}"#,
        at: "https://other.example.org"
    )

    private static let causes = [
        Cause(reason: .endedByServer) { try await $0.endByServer() },
        Cause(reason: .refreshResponseLost) { try await $0.loseResponse() },
        Cause(reason: .signedOutElsewhere) { try await $0.signOutElsewhere() },
        Cause(reason: .unreadableRecord(.otherBackend)) { try await $0.restoreUnreadable(otherBackend) },
        Cause(reason: .unreadableRecord(.unknownVersion)) { try await $0.restoreUnreadable(#"{"version": 3}"#) },
    ]

    @Test(arguments: causes) func `a sign-in publishes the signed-in state`(cause: Cause) async throws {
        let change = StateChange(
            "the user signs in",
            from: cause.arrange,
            by: { try await $0.signIn() },
            publishes: { [.signedOut(cause.reason), $0.signedInState] }
        )
        try await change.check()
    }

    @Test(arguments: causes) func `a sign-out publishes userSignedOut`(cause: Cause) async throws {
        let change = StateChange(
            "the user signs out",
            from: cause.arrange,
            by: { await $0.session.signOut() },
            publishes: { _ in [.signedOut(cause.reason), .signedOut(.userSignedOut)] }
        )
        try await change.check()
    }
}
