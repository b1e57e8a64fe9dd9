extension AuthSession {
    /// Reconnects at once, because the network is back or the user asks.
    ///
    /// Asks the server if the session is offline, reads the store if it is locked, and does nothing otherwise.
    ///
    /// - Returns: The state afterwards.
    @discardableResult
    public func lookAgain() async -> SessionState {
        reconnect.forgetPauses()
        await look()
        return state
    }

    /// Schedules the next attempt to reconnect if one is due, and cancels it if not.
    func lookAgainWhereDue() {
        // The session is retained during an attempt but not during the wait, so that the app can release it.
        reconnect.stateChanged(to: state) { [weak self] in await self?.lookInTurn() }
    }

    /// Restarts the wait, because its length has changed.
    func waitAnew() {
        reconnect.stopWaiting()
        lookAgainWhereDue()
    }

    private func lookInTurn() async {
        // The wait ended just as it was cancelled: another one is scheduled by now.
        guard !Task.isCancelled else { return }
        reconnect.endWaiting()
        await look()
    }

    func look() async {
        guard reconnect.requestLook() else { return }
        // Another caller may have asked meanwhile: the attempt in progress may have begun before the network was back.
        while reconnect.takeRequest() {
            switch state {
            case .signedIn(_, .offline): await check()
            case .locked: await restore()
            default: break
            }
        }
        reconnect.endLook(in: state)
        lookAgainWhereDue()
    }
}
