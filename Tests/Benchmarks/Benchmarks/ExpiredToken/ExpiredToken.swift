// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession
import Benchmark
import LocalBackend

/// Many requests at once with an unusable token, against a real server that counts them.
///
/// The benchmark ends with an error if a round's counts are wrong.
let benchmarks: @Sendable () -> Void = {
    Benchmark("ratio: 10,000 requests, expired to fresh and one refresh", configuration: .ratio) { benchmark in
        let round = try Round(try await LocalBackend.start())
        let fresh = try await round.fresh(10_000)
        let expired = try await round.expired(10_000)
        // In the other order too: otherwise the first measurement would warm up the second.
        let expiredAgain = try await round.expired(10_000)
        let freshAgain = try await round.fresh(10_000)
        benchmark.measurement(.ratio, Int(((expired + expiredAgain) / (fresh + freshAgain) * 100).rounded()))
    }

    Benchmark("50 requests, expired by the clock", configuration: .counts) { benchmark in
        let round = try Round(try await LocalBackend.start())
        _ = try await round.expired(50)
        benchmark.note(round.counts)
    }
    Benchmark("50 requests, valid by the clock, refused by the server", configuration: .counts) { benchmark in
        let round = try Round(try await LocalBackend.start())
        try await round.refused(50, .refreshed, answered: 50)
        benchmark.note(round.counts)
    }
    Benchmark("5 requests, the refreshed token refused again", configuration: .counts) { benchmark in
        let round = try Round(try await LocalBackend.start())
        try await round.refused(5, .nobody, answered: 0)
        benchmark.note(round.counts)
    }
}

extension Benchmark {
    fileprivate func note(_ counts: Desk.Counts) {
        measurement(.refreshes, counts.refreshes)
        measurement(.sends, counts.sends)
    }
}

extension Benchmark.Configuration {
    fileprivate static var ratio: Self {
        .init(metrics: [.ratio], warmupIterations: 1, maxDuration: .seconds(60), maxIterations: 15)
    }

    fileprivate static var counts: Self {
        .init(metrics: [.refreshes, .sends], warmupIterations: 1, maxDuration: .seconds(5), maxIterations: 100)
    }
}

extension BenchmarkMetric {
    fileprivate static var ratio: Self {
        .custom("Time to a fresh token's, x 100", polarity: .prefersSmaller, useScalingFactor: false)
    }

    fileprivate static var refreshes: Self {
        .custom("Refreshes", polarity: .prefersSmaller, useScalingFactor: false)
    }

    fileprivate static var sends: Self {
        .custom("Sends", polarity: .prefersSmaller, useScalingFactor: false)
    }
}
