// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import SecureStore
import Synchronization

/// Faults and delays.
extension World {
    // MARK: The store

    /// Returns the store; after the schedule, an empty one.
    func reachableStore(of life: Life) -> MemoryStore {
        content.withLock { $0.isOver } ? MemoryStore() : store
    }

    /// Returns the current error of the store, or nil.
    func storeFault(isChange: Bool) -> SecureStoreError? {
        guard isWild else { return nil }
        let now = elapsed
        let isFailing = plan.storeFaults.contains { fault in
            now >= fault.from && now < fault.to && (isChange || !fault.isForChangesOnly)
        }
        if isFailing { note(isChange ? "the store rejects a write" : "the store can't be read") }
        return isFailing ? SecureStoreError(isChange ? .full : .locked) : nil
    }

    // MARK: Time

    /// A kind of delay.
    enum Wait {
        case storeBefore, storeAfter, response
    }

    /// Waits for a random time.
    func delay(_ wait: Wait) async throws {
        guard !content.withLock({ $0.isOver }) else { return }
        let isSlow = !plan.isSurvivable && isWild && random.chance(20)
        let span: Duration
        switch wait {
        case .storeBefore, .storeAfter:
            if isSlow {
                span = random.span(100...3_000)
            } else if random.chance(200) {
                span = random.span(1...50)
            } else {
                return
            }
        case .response: span = isSlow ? random.span(200...6_000) : random.span(1...200)
        }
        try await clock.sleep(for: span)
    }

    // MARK: The network

    /// Draws the fate of a request.
    ///
    /// - Parameter token: The refresh token in it; nil for another request.
    /// - Returns: The fate.
    func fate(of token: SimulatedServer.Number?) -> Fate {
        let fates: [Fate] = [.notSent, .requestLost, .responseLost, .responseLost, .silent, .gateway]
        let drawn: Fate = random.chance(plan.losses) ? fates[random.below(fates.count)] : .arrives
        return content.withLock { content in
            guard !content.isOver else { return .notSent }
            guard content.isWild, drawn != .arrives else { return .arrives }
            guard let token, plan.isSurvivable else { return drawn }
            // A session can recover from one lost response a token, but not from two.
            guard !content.lost.contains(token), !content.sent.contains(token) || drawn == .arrives else {
                return .arrives
            }
            if drawn != .notSent { content.lost.insert(token) }
            return drawn
        }
    }

    /// Draws the travel time of a request.
    ///
    /// The first request with a token arrives within the grace window. A later one arrives soon. Otherwise the server
    /// could not distinguish it from a thief's.
    func transitTime(of token: SimulatedServer.Number?) -> Duration {
        let isFirst = content.withLock { content in token.map { content.sent.insert($0).inserted } ?? true }
        return isFirst && isWild && random.chance(60) ? random.span(200...8_000) : random.span(1...300)
    }

    /// Whether the machine may sleep now: every request has arrived, and a response is still outstanding.
    var isResponseOutstanding: Bool {
        content.withLock { content in content.inTransit == 0 && content.pending.values.contains { !$0.isEmpty } }
    }

    /// Counts a request that leaves or arrives.
    func inTransit(_ change: Int) {
        content.withLock { $0.inTransit += change }
    }

    /// Waits until a refresh is sent, or the schedule is over.
    func nextRefresh() async {
        await withCheckedContinuation { continuation in
            let isOver = content.withLock { content in
                if !content.isOver { content.watchers.append(continuation) }
                return content.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    /// Records that a process presents a refresh token of a session, or that another one has done so for it.
    func presents(tokenOf family: Int, _ life: Life) {
        content.withLock { $0.presented[life.number] = max(family, $0.presented[life.number] ?? 0) }
    }

    /// Returns the newest session whose refresh token a process has presented; nil for none.
    func presented(by life: Life) -> Int? { content.withLock { $0.presented[life.number] } }

    /// Records the refresh tokens on the wire.
    func pending(_ token: SimulatedServer.Number, of life: Life, isPending: Bool) {
        let watchers = content.withLock { content -> [CheckedContinuation<Void, Never>] in
            guard isPending else {
                content.pending[life.number]?.remove(token)
                return []
            }
            content.pending[life.number, default: []].insert(token)
            defer { content.watchers = [] }
            return content.watchers
        }
        for watcher in watchers { watcher.resume() }
    }

    /// Records that a process has received a response.
    func delivered(_ token: SimulatedServer.Number, to life: Life) {
        note("process \(life.number) receives \(token)")
        content.withLock { _ = $0.deliveries[token, default: []].insert(life.number) }
    }
}
