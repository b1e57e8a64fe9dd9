import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// What who watches a session sees.
@Suite(.timeLimit(.minutes(5)))
struct StateStreamTests {
    @Test func `nothing is missed from the moment on that the stream is made`() async throws {
        for _ in 0..<50 {
            let fixture = try Fixture()
            let states = fixture.session.states
            await fixture.session.restore()
            try await fixture.signIn()
            await fixture.session.signOut()
            var seen: [SessionState] = []
            for await state in states {
                seen.append(state)
                if state == .signedOut(.signedOutByPerson) { break }
            }
            #expect(
                seen == [
                    .restoring, .signedOut(.neverSignedIn), fixture.signedInState, .signedOut(.signedOutByPerson),
                ]
            )
        }
    }

    @Test func `each watcher sees all of it, in order, beginning with how it stands`() async throws {
        let fixture = try await Fixture.signedIn()
        let streams = (0..<8).map { _ in fixture.session.states }
        await fixture.session.signOut()
        try await fixture.signIn()
        let expected = [fixture.signedInState, .signedOut(.signedOutByPerson), fixture.signedInState]
        for stream in streams {
            var seen: [SessionState] = []
            for await state in stream {
                seen.append(state)
                if seen.count == 3 { break }
            }
            #expect(seen == expected)
        }
    }

    @Test func `a stream ends with its session`() async throws {
        var states: AsyncStream<SessionState>?
        do {
            let fixture = try Fixture()
            states = fixture.session.states
        }
        var count = 0
        for await _ in try #require(states) { count += 1 }
        #expect(count == 1)
    }
}
