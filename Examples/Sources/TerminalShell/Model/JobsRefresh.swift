/// An asking for the jobs that is under way.
struct JobsRefresh: Sendable, Hashable {
    /// Whether the person waits for it, as against one that time has begun.
    var isAwaited: Bool
    /// Whether who it was begun for has left meanwhile.
    var isStale = false
}
