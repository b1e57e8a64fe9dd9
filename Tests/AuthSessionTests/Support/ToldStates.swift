@testable import AuthSession

/// What a session tells who watches it, beginning with how it stands.
struct ToldStates {
    private let states: AsyncStream<SessionState>

    init(_ session: AuthSession) {
        states = session.states
    }

    /// Everything that was told until now, in order; read once.
    func untilNow() async -> [SessionState] {
        let reading = Task { [states] in await states.reduce(into: []) { $0.append($1) } }
        // A reader that is cancelled still gets what waits for it, and then the end.
        reading.cancel()
        return await reading.value
    }
}
