// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import Foundation
import SecureStore
import Testing

@testable import AuthSession

/// Case 26, across processes: within one start of the machine, a token's age doesn't depend on the wall clock.
@Suite struct BootTimeTests {
    @Test func `a wall clock that is set back after the sign-in does not keep a token alive in another process`()
        async throws
    {
        let fixture = try await Fixture.signedIn(countsBoot: true)
        fixture.clock.stepDate(by: .seconds(-1_800))
        fixture.clock.advance(by: .seconds(900))
        #expect(try await fixture.otherProcess().accessToken().unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test(arguments: [-86_400, -600, 600, 86_400])
    func `a wall clock that is set leaves a token its lifetime, and the end that is reported is by the new clock`(
        seconds: Int
    ) async throws {
        let fixture = try await Fixture.signedIn(countsBoot: true)
        fixture.clock.advance(by: .seconds(100))
        fixture.clock.stepDate(by: .seconds(seconds))
        let end = fixture.clock.date.addingTimeInterval(800)
        let other = try fixture.otherProcess()
        #expect(try await other.accessToken(validFor: .seconds(800)).unredacted == "access-1")
        for session in [fixture.session, other] {
            let reported = try #require(session.accessTokenLifetime?.expiresAt)
            #expect(abs(reported.timeIntervalSince(end)) < 0.001)
        }
        #expect(fixture.refreshes == 0)
    }

    @Test(arguments: [(-1_800, "access-1"), (1_800, "access-2")])
    func `after a restart of the machine, the wall clock decides`(
        seconds: Int,
        token: String
    ) async throws {
        let fixture = try await Fixture.signedIn(countsBoot: true)
        fixture.clock.advance(by: .seconds(100))
        fixture.clock.restartMachine()
        fixture.clock.stepDate(by: .seconds(seconds))
        #expect(try await fixture.otherProcess().accessToken().unredacted == token)
    }

    /// Values that only a damaged or forged record holds.
    @Test(arguments: [(-1, 0, "access-1"), (-1e300, 0, "access-1"), (1e300, 900, "access-2"), (3_601, 900, "access-2")])
    func `a time that is not between the machine's start and now counts for nothing`(
        seconds: Double,
        step: Int,
        token: String
    ) async throws {
        let fixture = try await Fixture.signedIn(countsBoot: true)
        var record = try await fixture.storedRecord()
        let bootID = try #require(record.tokens.lifetime.issuedAtBoot).bootID
        record.tokens.lifetime.issuedAtBoot = BootTime(bootID: bootID, seconds: seconds)
        try await fixture.store.setItem(try record.encoded(), forKey: SessionRecord.key)
        fixture.clock.stepDate(by: .seconds(step))
        #expect(try await fixture.otherProcess().accessToken().unredacted == token)
    }

    @Test func `an invalidated token stays so in another process after the wall clock was set`() async throws {
        for seconds in [-600, 600] {
            let fixture = try await Fixture.signedIn(countsBoot: true)
            fixture.clock.stepDate(by: .seconds(seconds))
            try await fixture.session.invalidate(try await fixture.session.accessToken())
            fixture.clock.stepDate(by: .seconds(-seconds))
            #expect(try await fixture.otherProcess().accessToken().unredacted == "access-2")
        }
    }

    // MARK: The server's window

    @Test(arguments: [-1_800, 1_800])
    func `a lost response is requested again by another process although the wall clock was set`(
        seconds: Int
    ) async throws {
        let fixture = try await Fixture.signedIn(countsBoot: true)
        let server = fixture.rotating { _ in throw TransportError(.connectionClosed, mayHaveReachedServer: true) }
        #expect(await code { try await fixture.session.refresh() } == .refreshOutcomeUnknown)
        fixture.backend.on(Backend.pairRefresh) { try server.refresh($0) }
        fixture.clock.stepDate(by: .seconds(seconds))
        let successor = try fixture.otherProcess()
        #expect(try await successor.accessToken().unredacted == "access-1")
        // The refresh may have finished already.
        _ = try await successor.flight?.value()
        #expect(try await successor.accessToken().unredacted == "access-2")
        #expect(server.reuses == 0 && server.rotations == 1)
    }

    @Test(arguments: [-1_800, 1_800])
    func `the tokens of a repeated response wait for the window to close although the wall clock was set`(
        seconds: Int
    ) async throws {
        let fixture = try await Fixture.signedIn(countsBoot: true)
        var record = try await fixture.storedRecord()
        (record.repeatedAt, record.repeatedAtBoot) = (fixture.clock.date, fixture.clock.bootTime)
        try await fixture.store.setItem(try record.encoded(), forKey: SessionRecord.key)
        fixture.clock.advance(by: .seconds(4))
        fixture.clock.stepDate(by: .seconds(seconds))
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        #expect(await other.holdOff == .seconds(6))
    }

    @Test func `the journal and the tokens of a repeated response are stored with the time since the machine's start`()
        async throws
    {
        let fixture = try await Fixture.signedIn(countsBoot: true)
        fixture.clock.advance(by: .seconds(60))
        let server = fixture.rotating { _ in throw TransportError(.connectionClosed, mayHaveReachedServer: true) }
        #expect(await code { try await fixture.session.refresh() } == .refreshOutcomeUnknown)
        #expect(try await fixture.storedRecord().refreshBegunAtBoot == fixture.clock.bootTime)
        fixture.backend.on(Backend.pairRefresh) { try server.refresh($0) }
        fixture.clock.advance(by: .seconds(2))
        try await fixture.session.refresh()
        let record = try await fixture.storedRecord()
        #expect(record.refreshBegunAtBoot == nil && record.repeatedAtBoot == fixture.clock.bootTime)
        #expect(record.tokens.lifetime.issuedAtBoot == fixture.clock.bootTime)
    }

    @Test(arguments: [-86_400, 86_400])
    func `the minute between two failures that name an ended session is not the wall clock's`(
        seconds: Int
    ) async throws {
        let fixture = try await Fixture.signedIn(countsBoot: true)
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.failure(500, code: "invalid_grant") }
        #expect(await code { try await fixture.session.refresh() } == .unreachable)
        fixture.clock.stepDate(by: .seconds(seconds))
        fixture.clock.advance(by: .seconds(59))
        let other = try fixture.otherProcess()
        #expect(await code { try await other.refresh() } == .unreachable)
        fixture.clock.advance(by: .seconds(1))
        #expect(await code { try await other.refresh() } == .sessionEnded)
    }

    // MARK: The system's clocks

    @Test(.enabled(if: BootTime.now != nil))
    func `the system names its start, and counts from there`() throws {
        let (first, second) = (try #require(BootTime.now), try #require(BootTime.now))
        #expect(second.seconds(since: first) != nil)
        #expect(SessionClock(date: { Date() }, monotonic: ContinuousClock()).reading().bootTime?.bootID == first.bootID)
        #expect(SessionClock(date: { Date() }, monotonic: TestClock()).reading().bootTime == nil)
        #if os(Linux)
        let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #expect(UUID(uuidString: String(text.prefix(36))) == first.bootID)
        #endif
    }
}

extension AuthSession {
    /// The wait until the tokens of a repeated refresh may be exchanged.
    fileprivate var holdOff: Duration? { current.flatMap { reuseHoldOff(of: $0) } }
}
