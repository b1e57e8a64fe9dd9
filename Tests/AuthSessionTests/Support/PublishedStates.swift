// SPDX-License-Identifier: Apache-2.0

@testable import AuthSession

/// The states that a session publishes, beginning with the current one.
struct PublishedStates {
    private let states: AsyncStream<SessionState>

    init(_ session: AuthSession) {
        states = session.states
    }

    /// Returns all states that were published until now, in order; to be read once.
    func untilNow() async -> [SessionState] {
        let reading = Task { [states] in await states.reduce(into: []) { $0.append($1) } }
        // A cancelled reader still receives the buffered states, and then the end.
        reading.cancel()
        return await reading.value
    }
}
