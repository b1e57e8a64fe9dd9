// SPDX-License-Identifier: Apache-2.0

extension AuthSession {
    /// Reconnects at once, because the network is back or the user asks.
    ///
    /// Asks the server if the session is offline, reads the store if it is locked, and does nothing otherwise.
    ///
    /// - Returns: The state afterwards.
    @discardableResult
    public func reconnect() async -> SessionState {
        reconnectScheduler.resetBackoff()
        await attemptReconnect()
        return state
    }

    /// Schedules the next attempt to reconnect if one is due, and cancels it if not.
    func reconnectIfDue() {
        // The session is retained during an attempt but not during the wait, so that the app can release it.
        reconnectScheduler.stateChanged(to: state) { [weak self] in await self?.attemptIfDue() }
    }

    /// Restarts the wait, because its length has changed.
    func rescheduleReconnect() {
        reconnectScheduler.stopWaiting()
        reconnectIfDue()
    }

    private func attemptIfDue() async {
        // The wait ended just as it was cancelled: another one is scheduled by now.
        guard !Task.isCancelled else { return }
        reconnectScheduler.endWaiting()
        await attemptReconnect()
    }

    func attemptReconnect() async {
        guard reconnectScheduler.requestAttempt() else { return }
        // Another caller may have asked meanwhile: the attempt in progress may have begun before the network was back.
        while reconnectScheduler.takeRequest() {
            switch state {
            case .signedIn(_, .offline): await validate()
            case .locked: await restore()
            default: break
            }
        }
        reconnectScheduler.endAttempts(in: state)
        reconnectIfDue()
    }
}
