import AuthTesting
import Testing

@testable import AuthSession

/// Changes that follow each reason for being signed out.
@Suite(.timeLimit(.minutes(5)))
struct SignedOutChangeTests {
    /// A reason, and the steps that lead to it.
    struct Way: Sendable, CustomTestStringConvertible {
        let reason: SignedOutReason
        let arrange: StateChange.Step

        var testDescription: String { "\(reason)" }
    }

    private static let otherBackend = """
        {"version":1,"generation":0,"accessToken":"a-9","refreshToken":"r-9","user":{"id":"u1"},\
        "backend":{"baseURL":"https://other.example.org","contract":"tokenPair"}}
        """

    private static let ways = [
        Way(reason: .endedByServer) { try await $0.endByServer() },
        Way(reason: .refreshResponseLost) { try await $0.loseResponse() },
        Way(reason: .signedOutElsewhere) { try await $0.signOutElsewhere() },
        Way(reason: .unreadableRecord(.otherBackend)) { try await $0.findUnreadable(otherBackend) },
        Way(reason: .unreadableRecord(.unknownVersion)) { try await $0.findUnreadable(#"{"version": 3}"#) },
    ]

    @Test(arguments: ways) func `somebody signs in`(way: Way) async throws {
        let change = StateChange(
            "signs in",
            from: way.arrange,
            by: { try await $0.signIn() },
            tells: { [.signedOut(way.reason), $0.signedInState] }
        )
        try await change.check()
    }

    @Test(arguments: ways) func `somebody signs out to be sure`(way: Way) async throws {
        let change = StateChange(
            "signs out",
            from: way.arrange,
            by: { await $0.session.signOut() },
            tells: { _ in [.signedOut(way.reason), .signedOut(.userSignedOut)] }
        )
        try await change.check()
    }
}
