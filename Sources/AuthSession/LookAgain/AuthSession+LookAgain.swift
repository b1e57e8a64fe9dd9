extension AuthSession {
    /// Looks again at once at what could not be reached: the network is back, or a person asks.
    ///
    /// Asks the server where the session is offline, and reads the store where that is locked; does nothing otherwise.
    ///
    /// - Returns: The state afterwards.
    @discardableResult
    public func lookAgain() async -> SessionState {
        lookPause = LookAgainPause()
        stopWaiting()
        await look()
        return state
    }

    /// Begins to wait for the next look where one is due, and ends it where none is.
    func lookAgainWhereDue() {
        // Who looks decides at its end.
        guard options.looksAgain, !isLooking else { return }
        guard state.isPassing else {
            stopWaiting()
            lookPause = LookAgainPause()
            return
        }
        guard looking == nil else { return }
        let pause = lookPause.next(ofStore: state.isLocked, fraction: randomFraction(), at: clock.uptime())
        // Holds the session while it looks and not while it waits: an app that lets go of it is not kept.
        looking = Task { [weak self, clock] in
            do { try await clock.sleep(pause) } catch { return }
            await self?.lookInTurn()
        }
    }

    /// Begins the pause again, now that it has become another one.
    func waitAnew() {
        stopWaiting()
        lookAgainWhereDue()
    }

    /// Calls off the next look, where one is waited for.
    func stopWaiting() {
        looking?.cancel()
        looking = nil
    }

    private func lookInTurn() async {
        // Its time came as it was called off: another one waits by now.
        guard !Task.isCancelled else { return }
        // This task is the one that waited: nobody is to cancel it in the middle of a refresh.
        looking = nil
        await look()
    }

    func look() async {
        isLookRequested = true
        guard !isLooking else { return }
        isLooking = true
        // Once more where somebody asked meanwhile: what is under way may have begun before the network was back.
        while isLookRequested {
            isLookRequested = false
            switch state {
            case .signedIn(_, .offline): await check()
            case .locked: await restore()
            default: break
            }
        }
        isLooking = false
        if state.isPassing { lookPause.fail() }
        lookAgainWhereDue()
    }
}

extension SessionState {
    var isLocked: Bool {
        if case .locked = self { true } else { false }
    }

    /// Whether it may pass by itself: a server that is away, a store that is locked.
    var isPassing: Bool {
        if case .signedIn(_, .offline) = self { true } else { isLocked }
    }
}
