/// What became of asking the server for the jobs.
enum JobsAnswer: Sendable, Hashable {
    case loaded([Job])
    /// The server can be reached and the session stands, and the jobs did not come all the same.
    case failed
    /// The server can't be asked, which the session shows by itself.
    case notAsked
}
