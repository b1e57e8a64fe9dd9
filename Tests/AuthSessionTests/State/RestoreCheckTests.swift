import APIClient
import AuthTesting
import Testing

@testable import AuthSession

/// A session that is shown at once while the server is asked in the background.
@Suite(.timeLimit(.minutes(5)))
struct RestoreCheckTests {
    /// The server's final response.
    enum Verdict: CaseIterable {
        case unavailable
        case ended
        case renamed

        var answer: TransportResponse {
            switch self {
            case .unavailable: .json("{}", status: 503)
            case .ended: Backend.failure(401, code: "session_ended")
            case .renamed: .json(#"{"success": true, "user": {"id": "u1", "name": "Ada King"}}"#)
            }
        }

        func state(_ fixture: Fixture) -> SessionState {
            switch self {
            case .unavailable: .signedIn(fixture.user, .offline(since: fixture.clock.date))
            case .ended: .signedOut(.endedByServer)
            case .renamed: .signedIn(SessionUser(id: "u1", name: "Ada King"), .online)
            }
        }
    }

    private func questions(_ fixture: Fixture) -> Int { fixture.transport.count(of: Backend.validate) }

    @Test(arguments: Verdict.allCases)
    func `the stored session shows while the server is asked, and its answer shows when it is there`(
        verdict: Verdict
    ) async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        let gate = Gate()
        fixture.backend.on(Backend.validate) { _ in
            await gate.pass()
            return verdict.answer
        }
        await other.restore()
        #expect(other.state == fixture.signedInState)
        await gate.somebodyWaits()
        #expect(other.state == fixture.signedInState)
        gate.open()
        for await state in other.states where state != fixture.signedInState { break }
        #expect(other.state == verdict.state(fixture))
        let isStored = try await fixture.stored() != nil
        #expect(isStored == (verdict != .ended))
    }

    @Test func `who restored without asking has the server asked by the next restore, once`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        await settle()
        #expect(questions(fixture) == 0)
        await other.restore()
        while questions(fixture) == 0 { await Task.yield() }
        await other.restore()
        await settle()
        #expect(questions(fixture) == 1)
    }

    @Test func `cancelled, it is still restoring, and can be asked for again`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        let asked = Event()
        fixture.store.faults.delayCalls {
            asked.happen()
            try await waitForCancellation()
        }
        let restore = Task { await other.restore() }
        await asked.wait()
        restore.cancel()
        await restore.value
        await settle()
        #expect(other.state == .restoring)
        #expect(questions(fixture) == 0)
        fixture.store.faults.delayCalls(nil)
        await other.restore()
        #expect(other.state == fixture.signedInState)
    }
}
