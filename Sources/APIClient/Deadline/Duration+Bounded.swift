extension Duration {
    /// The span that may be waited for: none that is negative, and at most a century.
    ///
    /// A longer one in nanoseconds is beyond what clocks take, and a crash.
    var bounded: Duration { min(max(.zero, self), .seconds(3_155_760_000)) }
}
