// SPDX-License-Identifier: Apache-2.0

import AuthCore

extension AuthSession {
    /// The longest sleep while the token is fresh.
    ///
    /// A sign-in may bring a token that is due earlier, and ``invalidate(_:)`` makes the current one due.
    private static let longestSleep = Duration.seconds(60)

    /// Refreshes the access token whenever it is due, even if no caller asks for one.
    ///
    /// For a program that runs for long: none of its calls then waits for a refresh. All tasks and processes share the
    /// refresh. After a failure that does not end the session, or while the store is locked, it tries again with pauses
    /// that grow up to five minutes, or that the server requests, up to about six. Restores the session if necessary.
    ///
    /// Returns if the task is cancelled, after a refresh in progress, so that no new token is lost. The limits of the
    /// transport and the store bound that wait.
    ///
    /// - Throws: ``AuthSessionError`` (`notSignedIn` if nobody is signed in, also after a sign-out; `sessionEnded`; the
    ///   authority's own) as soon as there is no session. ``state`` has the reason.
    public func keepFresh() async throws {
        var backoff = ReconnectBackoff()
        while !Task.isCancelled {
            do {
                try await refreshIfDue()
            } catch let error where current == nil && !state.isLocked && !Task.isCancelled {
                throw error
            } catch {
                backoff.noteRetryAfter((error as? AuthSessionError)?.retryAfter, at: clock.uptime())
            }
            let now = clock.uptime()
            if let current, refreshTime(of: current) > now {
                backoff.resetFailures()
                await sleepUnlessSignedOut(min(refreshTime(of: current) - now, Self.longestSleep))
            } else {
                // The new token may be due on arrival, so a pause follows each attempt.
                let pause = backoff.next(ofStore: state.isLocked, fraction: randomFraction(), at: now)
                backoff.fail()
                await sleepUnlessSignedOut(pause)
            }
        }
        // In a task of its own, which is not cancelled. It throws if the store refuses the tokens, which then stay in
        // memory.
        await Task { try? await flush() }.value
    }

    private func refreshIfDue() async throws {
        let current = try await requireCurrent()
        guard refreshTime(of: current) <= clock.uptime() else { return }
        _ = try await tokens(insteadOf: current.record.tokens.accessToken)
    }

    /// Sleeps for a time, or until the user is signed out or the task is cancelled.
    private func sleepUnlessSignedOut(_ time: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock] in try? await clock.sleep(time) }
            // The state follows the tokens: it says `signedOut` while a first sign-in is being written.
            group.addTask { [states, state] in
                for await next in states.drop(while: { $0 == state }) { if case .signedOut = next { return } }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
