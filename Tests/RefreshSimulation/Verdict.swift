import AuthSession

/// The conditions that must hold once everything is at rest and the faults have ended.
struct Verdict {
    let world: World
    let processes: [SimulatedProcess]

    /// Finds violated conditions.
    func find() async {
        var tokens: [ProcessOutcome] = []
        for process in processes {
            tokens.append(
                ProcessOutcome(
                    life: process.life.number,
                    result: await process.currentToken(),
                    state: process.session.state
                )
            )
        }
        let stored = await world.storedToken()
        world.note("at rest: stored \(stored.map(\.description) ?? "nothing"), returned \(tokens)")
        if let stored { found(stored, tokens) } else { absent(tokens) }
        // A later family is that of a new sign-in whose process died before it could report it.
        if world.plan.isSurvivable, let kept = world.sessionToKeep, (stored?.family ?? -1) < kept {
            fault("session \(kept) is lost without a sign-out")
        }
    }

    /// Whether the user or the administrator may have ended the session, or a loss that was judged when it happened.
    private var isEndExpected: Bool {
        world.plan.signOut != nil || world.plan.administratorEnds != nil || world.losses > 0
    }

    /// Returns whether a process may be signed out although another process has started a session since.
    private func isSignedOutByOther(_ state: SessionState) -> Bool {
        if case .signedOut = state { return isEndExpected }
        return false
    }

    private func fault(_ text: String) {
        world.history.fault(text)
    }

    private func found(
        _ stored: SimulatedServer.Number,
        _ tokens: [ProcessOutcome]
    ) {
        // The sign-out reported that the store had refused.
        if world.isLeftBehind(stored.family) { return }
        if let end = world.server.end(of: stored.family) {
            return fault("the store holds session \(stored.family), which the server has ended (\(end))")
        }
        let current = world.server.current(of: stored.family)
        if stored.rotation != current { fault("the store holds \(stored), but the server is at rotation \(current)") }
        for outcome in tokens {
            switch outcome.result {
            case .success(stored): break
            case .success(let other): fault("process \(outcome.life) returns \(other), but the store holds \(stored)")
            case .failure where isSignedOutByOther(outcome.state): break
            case .failure(let error):
                fault("process \(outcome.life) returns no token (\(error)), but the store holds \(stored)")
            }
        }
        if world.isSignedOut(stored.family) { fault("the store holds session \(stored.family) after its sign-out") }
    }

    private func absent(_ tokens: [ProcessOutcome]) {
        for outcome in tokens {
            guard case .success(let token) = outcome.result else { continue }
            fault("process \(outcome.life) returns \(token), but the store holds no session")
        }
        if !isEndExpected { fault("every process is signed out without a sign-out") }
    }
}

/// The state of one process at the end.
struct ProcessOutcome: Sendable {
    let life: Int
    let result: Result<SimulatedServer.Number, any Error>
    let state: SessionState
}
