// SPDX-License-Identifier: Apache-2.0

/// The outcome of requesting the jobs.
enum JobsResponse: Sendable, Hashable {
    case loaded([Job])
    /// The request failed, although the server is reachable and the session is valid.
    case failed
    /// The server can't be asked; the session's state shows the reason.
    case notAsked
}
