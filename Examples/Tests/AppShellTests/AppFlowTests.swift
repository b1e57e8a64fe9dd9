// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthSession
import SecureStore
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct AppFlowTests {
    typealias Screen = AppFlow.Screen

    /// The screen for a state, after the onboarding.
    struct Row: Sendable, CustomTestStringConvertible {
        let state: SessionState
        let screen: Screen

        init(_ state: SessionState, _ screen: Screen) {
            (self.state, self.screen) = (state, screen)
        }

        var testDescription: String { "\(state)" }
    }

    private static let ada = SessionUser(id: "u1", name: "Ada")
    private static let incomplete = SessionUser(id: "u1", name: "Ada", missing: [.phoneNumber])
    private static let since = Date(timeIntervalSince1970: 1_700_000_000)
    private static let reasons: [SignedOutReason] = [
        .noSession, .userSignedOut, .signedOutElsewhere, .endedByServer, .refreshResponseLost, .expired,
        .appleIDRevoked, .unreadableRecord(.damaged), .unreadableRecord(.unknownVersion),
        .unreadableRecord(.otherBackend),
    ]
    private static let lockReasons: [SecureStoreError.Code] = [
        .locked, .noSessionBus, .noProvider, .timedOut, .denied, .promptDismissed, .damaged,
        .failed,
    ]

    private static let table: [Row] =
        [
            Row(.restoring, .splash),
            Row(.signedIn(ada, .online), .main(offlineSince: nil)),
            Row(.signedIn(nil, .online), .main(offlineSince: nil)),
            Row(.signedIn(ada, .offline(since: since)), .main(offlineSince: since)),
            Row(.signedIn(nil, .offline(since: since)), .main(offlineSince: since)),
            Row(.signedIn(incomplete, .online), .main(offlineSince: nil)),
            Row(.signedIn(incomplete, .offline(since: since)), .main(offlineSince: since)),
        ]
        + reasons.map { Row(.signedOut($0), .signIn) }
        + lockReasons.map { Row(.locked(SecureStoreError($0)), .locked(SecureStoreError($0))) }

    @Test(arguments: table)
    func `the session determines the screen after the onboarding`(row: Row) {
        #expect(AppFlow(session: row.state, isOnboardingCompleted: true).screen == row.screen)
    }

    @Test(arguments: table)
    func `the first launch shows the onboarding once the session is restored, in every state`(row: Row) {
        let flow = AppFlow(session: row.state, isOnboardingCompleted: false)
        #expect(flow.screen == (row.state == .restoring ? .splash : .onboarding))
    }

    @Test(arguments: [SessionState.Connectivity.online, .offline(since: since)])
    func `an app that completes accounts asks for what is missing, and any other leads straight into the app`(
        connectivity: SessionState.Connectivity
    ) {
        func screen(_ user: SessionUser?, completesAccounts: Bool) -> Screen {
            let state = SessionState.signedIn(user, connectivity)
            return AppFlow(session: state, isOnboardingCompleted: true, completesAccounts: completesAccounts).screen
        }
        let main = screen(Self.ada, completesAccounts: false)
        #expect(main != .registration)
        #expect(screen(Self.incomplete, completesAccounts: false) == main)
        #expect(screen(Self.incomplete, completesAccounts: true) == .registration)
        #expect(screen(Self.ada, completesAccounts: true) == main)
        #expect(screen(nil, completesAccounts: true) == main)
    }

    @Test func `a locked store shows its reason`() throws {
        let error = SecureStoreError(.noProvider)
        let flow = AppFlow(session: .locked(error), isOnboardingCompleted: true)
        guard case .locked(let reason) = flow.screen else {
            Issue.record("shows \(flow.screen)")
            return
        }
        #expect(reason.code == .noProvider)
        #expect(flow.screen != .locked(SecureStoreError(.locked)))
    }

    @Test func `the offline banner follows the connectivity and shows the offline date`() {
        var flow = AppFlow(session: .signedIn(Self.ada, .online), isOnboardingCompleted: true)
        #expect(flow.screen == .main(offlineSince: nil))
        flow.session = .signedIn(Self.ada, .offline(since: Self.since))
        #expect(flow.screen == .main(offlineSince: Self.since))
        flow.session = .signedIn(Self.ada, .offline(since: Self.since + 60))
        #expect(flow.screen == .main(offlineSince: Self.since + 60))
        flow.session = .signedIn(Self.ada, .online)
        #expect(flow.screen == .main(offlineSince: nil))
    }

    @Test func `a first launch goes from the splash to the main screen`() {
        var flow = AppFlow(isOnboardingCompleted: false)
        var seen = [flow.screen]
        func see(_ change: (inout AppFlow) -> Void) {
            change(&flow)
            seen.append(flow.screen)
        }
        see { $0.session = .signedOut(.noSession) }
        see { $0.isOnboardingCompleted = true }
        see { $0.session = .signedIn(Self.ada, .online) }
        #expect(seen == [.splash, .onboarding, .signIn, .main(offlineSince: nil)])
    }

    @Test func `an unlocked keyring leads from the locked screen directly to the main screen`() {
        var flow = AppFlow(session: .locked(SecureStoreError(.locked)), isOnboardingCompleted: true)
        #expect(flow.screen == .locked(SecureStoreError(.locked)))
        flow.session = .signedIn(Self.ada, .online)
        #expect(flow.screen == .main(offlineSince: nil))
    }
}
