// SPDX-License-Identifier: Apache-2.0

import AuthSession
import AuthUI
import SecureStore
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct AppFlowTests {
    typealias Registration = AppFlow.Registration
    typealias Screen = AppFlow.Screen

    /// The screens for one state and each registration, after the splash and the onboarding.
    struct Row: Sendable, CustomTestStringConvertible {
        let state: SessionState
        let notDue: Screen
        let requested: Screen
        let required: Screen

        init(_ state: SessionState, _ notDue: Screen, requested: Screen? = nil, required: Screen? = nil) {
            (self.state, self.notDue) = (state, notDue)
            self.requested = requested ?? notDue
            self.required = required ?? notDue
        }

        var testDescription: String { "\(state)" }

        var screens: [(Registration, Screen)] {
            [(.notDue, notDue), (.requested, requested), (.required, required)]
        }
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
            Row(.signedIn(ada, .online), .main(offlineSince: nil), required: .registration),
            Row(.signedIn(nil, .online), .main(offlineSince: nil), required: .registration),
            Row(.signedIn(ada, .offline(since: since)), .main(offlineSince: since), required: .registration),
            Row(.signedIn(nil, .offline(since: since)), .main(offlineSince: since), required: .registration),
            Row(.signedIn(incomplete, .online), .registration),
            Row(.signedIn(incomplete, .offline(since: since)), .registration),
        ]
        + reasons.map { Row(.signedOut($0), .signIn, requested: .registration) }
        + lockReasons.map { Row(.locked(SecureStoreError($0)), .locked(SecureStoreError($0))) }

    @Test(arguments: table)
    func `the session and the registration determine the screen after the splash and the onboarding`(row: Row) {
        for (registration, expected) in row.screens {
            let flow = AppFlow(session: row.state, isOnboardingCompleted: true, registration: registration)
            #expect(flow.screen == expected, "\(registration)")
        }
    }

    @Test(arguments: table)
    func `the first launch shows the onboarding once the session is restored, in every state`(row: Row) {
        for (registration, _) in row.screens {
            let flow = AppFlow(session: row.state, isOnboardingCompleted: false, registration: registration)
            #expect(flow.screen == (row.state == .restoring ? .splash : .onboarding), "\(registration)")
        }
    }

    @Test(arguments: table)
    func `the splash stays until it is over, in every state`(row: Row) {
        for (registration, _) in row.screens {
            for isOnboardingCompleted in [false, true] {
                let flow = AppFlow(
                    session: row.state,
                    isOnboardingCompleted: isOnboardingCompleted,
                    registration: registration,
                    isSplashOver: false
                )
                #expect(flow.screen == .splash, "\(registration)")
            }
        }
    }

    private static let notSignedOut = table.filter { row in
        if case .signedOut = row.state { false } else { true }
    }

    @Test(arguments: notSignedOut)
    func `the sign-in screen appears only if the session is signed out`(row: Row) {
        for (registration, _) in row.screens {
            for isOnboardingCompleted in [false, true] {
                let flow = AppFlow(
                    session: row.state,
                    isOnboardingCompleted: isOnboardingCompleted,
                    registration: registration
                )
                #expect(flow.screen != .signIn)
            }
        }
    }

    @Test func `a locked store shows its reason, even if a registration was requested`() throws {
        let error = SecureStoreError(.noProvider)
        let flow = AppFlow(session: .locked(error), isOnboardingCompleted: true, registration: .requested)
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
        var flow = AppFlow(isOnboardingCompleted: false, isSplashOver: false)
        var seen = [flow.screen]
        func see(_ change: (inout AppFlow) -> Void) {
            change(&flow)
            seen.append(flow.screen)
        }
        see { $0.session = .signedOut(.noSession) }
        see { $0.isSplashOver = true }
        see { $0.isOnboardingCompleted = true }
        see { $0.registration = .requested }
        see { $0.registration = .notDue }
        see { $0.session = .signedIn(Self.ada, .online) }
        #expect(
            seen == [.splash, .splash, .onboarding, .signIn, .registration, .signIn, .main(offlineSince: nil)]
        )
    }

    @Test func `a restored session shows at once if the splash has no minimum duration`() {
        var flow = AppFlow(isOnboardingCompleted: true)
        #expect(flow.screen == .splash)
        flow.session = .signedIn(Self.ada, .online)
        #expect(flow.screen == .main(offlineSince: nil))
    }

    @Test func `an unlocked keyring leads from the locked screen directly to the main screen`() {
        var flow = AppFlow(session: .locked(SecureStoreError(.locked)), isOnboardingCompleted: true)
        #expect(flow.screen == .locked(SecureStoreError(.locked)))
        flow.session = .signedIn(Self.ada, .online)
        #expect(flow.screen == .main(offlineSince: nil))
    }
}
