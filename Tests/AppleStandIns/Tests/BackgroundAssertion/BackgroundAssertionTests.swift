// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthSession
import AuthTesting
import AuthUI
import SecureStore
import Synchronization
import Testing
import UIKit

/// The requests for background time; serialized, as there is one application and one process.
@Suite(.serialized, .timeLimit(.minutes(5))) @MainActor struct BackgroundAssertionTests {
    private let application = UIApplication.shared

    @Test func `the work runs in a background task, which is then ended`() async {
        application.standInReset()
        let open = Mutex<[Int]>([])
        await BackgroundTaskAssertion().perform("refresh of a session") { [application] in
            open.withLock { $0.append(application.standInOpen) }
        }
        #expect(open.withLock { $0 } == [1])
        #expect(application.standInNames == ["refresh of a session"])
        #expect(application.standInEnded == [UIBackgroundTaskIdentifier(rawValue: 1)])
        #expect(application.standInOpen == 0)
    }

    @Test func `the work runs once, and no task is ended, if the system grants no time`() async {
        application.standInReset(isGranted: false)
        let count = Mutex(0)
        await BackgroundTaskAssertion().perform("refresh") { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1)
        #expect(application.standInEnded.isEmpty)
    }

    @Test func `the task is ended once the time expires, and not again after the work`() async {
        application.standInReset()
        let count = Mutex(0)
        await BackgroundTaskAssertion().perform("refresh") { [application] in
            application.standInExpire()
            count.withLock { $0 += application.standInOpen == 0 ? 1 : 0 }
        }
        #expect(count.withLock { $0 } == 1)
        #expect(application.standInEnded == [UIBackgroundTaskIdentifier(rawValue: 1)])
    }

    @Test func `in an extension, the work runs in an expiring activity`() async {
        StandInActivities.use()
        let open = Mutex<[Int]>([])
        await ExpiringActivityAssertion().perform("refresh") { open.withLock { $0.append(StandInActivities.open) } }
        #expect(open.withLock { $0 } == [1])
        #expect(StandInActivities.reasons == ["refresh"])
        while StandInActivities.open > 0 { await Task.yield() }
    }

    @Test func `in an extension, the work runs once if the system grants no time, or too little`() async {
        let count = Mutex(0)
        StandInActivities.use(isGranted: false)
        await ExpiringActivityAssertion().perform("refresh") { count.withLock { $0 += 1 } }
        StandInActivities.use()
        await ExpiringActivityAssertion().perform("refresh") {
            StandInActivities.expire()
            while StandInActivities.open > 0 { await Task.yield() }
            count.withLock { $0 += 1 }
        }
        #expect(count.withLock { $0 } == 2)
    }

    @Test(arguments: [false, true]) func `a session refreshes in background time`(isExtension: Bool) async throws {
        application.standInReset()
        StandInActivities.use()
        let backend = Backend()
        let assertion: any BackgroundAssertion = isExtension ? ExpiringActivityAssertion() : BackgroundTaskAssertion()
        let session = AuthSession(
            backend: try Fixture.sessionBackend(),
            store: MemoryStore(),
            transport: ScriptedTransport { try await backend.response(to: $0) },
            background: assertion
        )
        try await session.signIn(email: "ada@example.org", password: Password("p"), device: Fixture.device)
        try await session.refresh()
        #expect(application.standInNames.count == (isExtension ? 0 : 1))
        #expect(StandInActivities.reasons.count == (isExtension ? 1 : 0))
    }
}
