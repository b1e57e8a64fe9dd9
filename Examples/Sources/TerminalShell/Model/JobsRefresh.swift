// SPDX-License-Identifier: Apache-2.0

/// A request for the jobs in progress.
struct JobsRefresh: Sendable, Hashable {
    /// Whether the user waits for it; false for a periodic request.
    var isAwaited: Bool
    /// Whether its user is no longer the signed-in user.
    var isStale = false
}
