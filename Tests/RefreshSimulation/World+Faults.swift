import AuthTesting
import SecureStore
import Synchronization

/// What goes wrong, and how long things take.
extension World {
    // MARK: The store

    /// The store, or after the schedule an empty one.
    func reachableStore(of life: Life) -> MemoryStore {
        content.withLock { $0.isOver } ? MemoryStore() : store
    }

    /// What a call to the store fails with now.
    func storeFault(isChange: Bool) -> SecureStoreError? {
        guard isWild else { return nil }
        let now = elapsed
        let isFailing = plan.storeFaults.contains { fault in
            now >= fault.from && now < fault.to && (isChange || !fault.isForChangesOnly)
        }
        if isFailing { note(isChange ? "the store takes nothing" : "the store can't be read") }
        return isFailing ? SecureStoreError(isChange ? .full : .locked) : nil
    }

    // MARK: Time

    /// A wait.
    enum Wait {
        case storeBefore, storeAfter, answer
    }

    /// Lets a call take its time.
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
        case .answer: span = isSlow ? random.span(200...6_000) : random.span(1...200)
        }
        try await clock.sleep(for: span)
    }

    // MARK: The network

    /// What becomes of a request.
    ///
    /// - Parameter token: The refresh token in it; nil for another request.
    /// - Returns: Its fate.
    func fate(of token: SimulatedServer.Number?) -> Fate {
        let fates: [Fate] = [.notSent, .requestLost, .answerLost, .answerLost, .silent, .gateway]
        let drawn: Fate = random.chance(plan.losses) ? fates[random.below(fates.count)] : .arrives
        return content.withLock { content in
            guard !content.isOver else { return .notSent }
            guard content.isWild, drawn != .arrives else { return .arrives }
            guard let token, plan.isSurvivable else { return drawn }
            // One lost answer a token can be made good, two can't.
            guard !content.lost.contains(token), !content.sent.contains(token) || drawn == .arrives else {
                return .arrives
            }
            if drawn != .notSent { content.lost.insert(token) }
            return drawn
        }
    }

    /// How long a request is on its way.
    ///
    /// The first sending of a token arrives within the grace window; a later one soon, or nobody could tell it from a thief's.
    func timeOnTheWay(of token: SimulatedServer.Number?) -> Duration {
        let isFirst = content.withLock { content in token.map { content.sent.insert($0).inserted } ?? true }
        return isFirst && isWild && random.chance(60) ? random.span(200...8_000) : random.span(1...300)
    }

    /// Remembers what is on the wire.
    func pending(_ token: SimulatedServer.Number, of life: Life, isPending: Bool) {
        content.withLock { content in
            if isPending {
                content.pending[life.number, default: []].insert(token)
            } else {
                content.pending[life.number]?.remove(token)
            }
        }
    }

    /// Remembers that a process has heard an answer.
    func delivered(_ token: SimulatedServer.Number, to life: Life) {
        note("process \(life.number) hears \(token)")
        content.withLock { _ = $0.deliveries[token, default: []].insert(life.number) }
    }
}
