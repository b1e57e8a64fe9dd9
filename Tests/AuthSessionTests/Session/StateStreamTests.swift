// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// The states that an observer of a session receives.
@Suite(.timeLimit(.minutes(5)))
struct StateStreamTests {
    @Test func `a stream receives every state from its creation on`() async throws {
        for _ in 0..<50 {
            let fixture = try Fixture()
            let states = fixture.session.states
            await fixture.session.restore()
            try await fixture.signIn()
            await fixture.session.signOut()
            var seen: [SessionState] = []
            for await state in states {
                seen.append(state)
                if state == .signedOut(.userSignedOut) { break }
            }
            #expect(
                seen == [
                    .restoring, .signedOut(.noSession), fixture.signedInState, .signedOut(.userSignedOut),
                ]
            )
        }
    }

    @Test func `each observer receives all states in order, beginning with the current one`() async throws {
        let fixture = try await Fixture.signedIn()
        let streams = (0..<8).map { _ in fixture.session.states }
        await fixture.session.signOut()
        try await fixture.signIn()
        let expected = [fixture.signedInState, .signedOut(.userSignedOut), fixture.signedInState]
        for stream in streams {
            var seen: [SessionState] = []
            for await state in stream {
                seen.append(state)
                if seen.count == 3 { break }
            }
            #expect(seen == expected)
        }
    }

    @Test func `no state is published twice, and the offline date does not change`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let published = PublishedStates(fixture.session)
        let since = fixture.clock.date
        fixture.backend.on(Backend.validate, Backend.unreachable)
        for _ in 0..<2 {
            await fixture.session.validate()
            fixture.clock.advance(by: .seconds(1))
        }
        fixture.backend.on(Backend.validate) { _ in .json(#"{"user": \#(Backend.user)}"#) }
        for _ in 0..<2 { await fixture.session.validate() }
        let offline = SessionState.signedIn(fixture.user, .offline(since: since))
        #expect(await published.untilNow() == [fixture.signedInState, offline, fixture.signedInState])
    }

    @Test func `a stream that is created during changes ends with the current state`() async throws {
        var streams: [AsyncStream<SessionState>] = []
        let last: SessionState
        do {
            let fixture = try Fixture()
            last = fixture.signedInState
            let changes = Task {
                for _ in 0..<50 {
                    try await fixture.signIn()
                    await fixture.session.signOut()
                }
                try await fixture.signIn()
            }
            for await state in fixture.session.states where state == last { break }
            for _ in 0..<200 {
                streams.append(fixture.session.states)
                for _ in 0..<10 { await Task.yield() }
            }
            _ = try await changes.value
        }
        for stream in streams {
            let seen = await stream.reduce(into: [SessionState]()) { $0.append($1) }
            #expect(seen.last == last)
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 })
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
