// SPDX-License-Identifier: Apache-2.0

/// Returns the time of the fastest of some attempts: on a loaded machine, one attempt may wait long for a thread.
public func fastest(of attempts: Int = 5, _ work: () async throws -> Void) async rethrows -> Duration {
    var best = Duration.seconds(Int64.max / 2)
    for _ in 0..<attempts {
        let start = ContinuousClock.now
        try await work()
        best = min(best, start.duration(to: .now))
    }
    return best
}
