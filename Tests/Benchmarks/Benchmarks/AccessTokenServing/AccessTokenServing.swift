// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import Benchmark
import LocalBackend

/// The cost of getting a fresh access token, compared with the two usual ways to share a value between tasks.
let benchmarks: @Sendable () -> Void = {
    let servers = Servers()
    for server in Server.allCases {
        Benchmark("\(server.rawValue)", configuration: .time) { benchmark in
            try await servers.serve(server, times: benchmark.scaledIterations.count)
        } setup: {
            try await servers.prepare()
        }
        // Allocations are counted only with glibc.
        guard Allocations.soFar > 0 else { continue }
        Benchmark("allocations: \(server.rawValue)", configuration: .allocations) { benchmark in
            try await servers.serve(server, times: 1_000)
            let before = Allocations.soFar
            try await servers.serve(server, times: 1_000)
            benchmark.measurement(.allocations, Allocations.soFar - before)
        } setup: {
            try await servers.prepare()
        }
    }
    for server in Server.allCases where server != .session {
        Benchmark("ratio: \(server.rawValue)", configuration: .ratio) { benchmark in
            let clock = ContinuousClock()
            var ours = Duration.zero
            var theirs = Duration.zero
            for _ in 0..<20 {
                ours += try await clock.measure { try await servers.serve(.session, times: 1_000) }
                theirs += try await clock.measure { try await servers.serve(server, times: 1_000) }
            }
            benchmark.measurement(.ratio, Int((theirs / ours * 100).rounded()))
        } setup: {
            try await servers.prepare()
        }
    }
}

extension Benchmark.Configuration {
    fileprivate static var time: Self {
        .init(
            metrics: [.wallClock],
            warmupIterations: 5,
            scalingFactor: .kilo,
            maxDuration: .seconds(2),
            maxIterations: 2_000
        )
    }

    fileprivate static var allocations: Self {
        .init(metrics: [.allocations], warmupIterations: 1, maxDuration: .seconds(1), maxIterations: 20)
    }

    fileprivate static var ratio: Self {
        .init(metrics: [.ratio], warmupIterations: 2, maxDuration: .seconds(3), maxIterations: 200)
    }
}

extension BenchmarkMetric {
    fileprivate static var allocations: Self {
        .custom("Allocations of 1,000 calls", polarity: .prefersSmaller, useScalingFactor: false)
    }

    fileprivate static var ratio: Self {
        .custom("The session's time, x 100", polarity: .prefersLarger, useScalingFactor: false)
    }
}
