// SPDX-License-Identifier: Apache-2.0

import AuthSession

extension ShellModel {
    /// Whether the user waits for the jobs.
    var isAwaitingJobs: Bool { isMain && refresh?.isAwaited == true }

    /// Requests the jobs, or joins the request in progress.
    mutating func beginRefresh(isAwaited: Bool) -> [ShellEffect] {
        guard let refresh else {
            self.refresh = JobsRefresh(isAwaited: isAwaited)
            return [.refresh]
        }
        self.refresh?.isAwaited = refresh.isAwaited || isAwaited
        return []
    }

    /// Handles the end of a request for the jobs.
    mutating func take(_ answer: JobsResponse) -> [ShellEffect] {
        let ended = refresh
        refresh = nil
        guard isMain else { return [] }
        // The request was another user's, so its jobs must not be shown.
        if ended?.isStale == true { return beginRefresh(isAwaited: true) }
        switch answer {
        case .loaded(let loaded):
            if ended?.isAwaited == true, loaded == jobs { notice = "Nothing new." }
            (jobs, haveJobsFailed) = (loaded, false)
            scroll = min(scroll, max(0, loaded.count - 1))
        case .failed:
            haveJobsFailed = true
            if ended?.isAwaited == true { notice = jobsFailure }
        case .notAsked: haveJobsFailed = false
        }
        return []
    }

    /// Resets the screens for the next user.
    mutating func forgetUser() {
        (tab, scroll, jobs, haveJobsFailed) = (0, 0, nil, false)
        if refresh != nil { refresh = JobsRefresh(isAwaited: false, isStale: true) }
    }
}
