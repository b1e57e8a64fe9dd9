import AuthTesting
import Testing

@testable import AuthSession

/// Looking again when the network says so.
@Suite(.timeLimit(.minutes(5))) struct ReachabilityTests {
    @Test func `an offline session looks again when the network is back, and not while it is away`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in Backend.failure(503, code: "down", message: "Down.") }
        await fixture.session.check()
        #expect(fixture.isOffline)
        fixture.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": {"id": "u1"}}"#) }
        let (changes, changed) = AsyncStream.makeStream(of: Bool.self)
        let before = fixture.transport.count(of: Backend.validate)
        changed.yield(false)
        changed.yield(false)
        changed.yield(true)
        changed.finish()
        await fixture.session.lookAgain(after: changes)
        #expect(fixture.transport.count(of: Backend.validate) == before + 1)
        #expect(!fixture.isOffline)
    }

    @Test func `a session that is online asks nobody because of the network`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let (changes, changed) = AsyncStream.makeStream(of: Bool.self)
        changed.yield(true)
        changed.yield(true)
        changed.finish()
        await fixture.session.lookAgain(after: changes)
        #expect(fixture.transport.count(of: Backend.validate) == 0)
    }
}
