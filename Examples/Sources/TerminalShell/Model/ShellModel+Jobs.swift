import AuthSession

extension ShellModel {
    /// Whether the person waits for the jobs.
    var isAwaitingJobs: Bool { isMain && refresh?.isAwaited == true }

    /// Asks for the jobs, or waits for the asking that is under way.
    mutating func beginRefresh(isAwaited: Bool) -> [ShellEffect] {
        guard let refresh else {
            self.refresh = JobsRefresh(isAwaited: isAwaited)
            return [.refresh]
        }
        self.refresh?.isAwaited = refresh.isAwaited || isAwaited
        return []
    }

    /// Takes the end of the asking in.
    mutating func take(_ answer: JobsAnswer) -> [ShellEffect] {
        let ended = refresh
        refresh = nil
        guard isMain else { return [] }
        // It was begun for somebody else, whose jobs are nobody's business now.
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

    /// The next person begins where everybody does.
    mutating func forgetPerson() {
        (tab, scroll, jobs, haveJobsFailed) = (0, 0, nil, false)
        if refresh != nil { refresh = JobsRefresh(isAwaited: false, isStale: true) }
    }
}
