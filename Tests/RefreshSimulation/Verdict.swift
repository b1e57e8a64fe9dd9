// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession

/// The conditions that must hold once everything is at rest and the faults have ended.
struct Verdict {
    let world: World
    let processes: [SimulatedProcess]

    /// Finds violated conditions.
    func find() async {
        // The session's own token first. Those for other APIs then replace the stored refresh token.
        let targets: [TokenTarget?] = [nil] + ResourceAuthority.targets.map(Optional.some)
        var tokens: [ProcessOutcome] = []
        for process in processes {
            for target in targets {
                tokens.append(
                    ProcessOutcome(
                        life: process.life.number,
                        target: target?.name,
                        result: await process.currentToken(for: target),
                        state: process.session.state
                    )
                )
            }
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
            let newest = world.server.newest(of: stored.family, for: outcome.target)
            let call = "process \(outcome.life), asked for \(outcome.target ?? "the session"),"
            switch outcome.result {
            case .success(let token) where token == newest: break
            case .success(let other):
                fault("\(call) returns \(other), but the newest one is \(newest.map(\.description) ?? "none")")
            case .failure where isSignedOutByOther(outcome.state): break
            case .failure(let error): fault("\(call) returns no token (\(error)), but the store holds \(stored)")
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

/// The state of one process at the end, and its token for one API.
struct ProcessOutcome: Sendable {
    let life: Int
    /// The API; nil is the session's own.
    let target: String?
    let result: Result<SimulatedServer.Number, any Error>
    let state: SessionState
}
