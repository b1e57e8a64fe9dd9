// SPDX-License-Identifier: Apache-2.0

import Benchmark

/// An authenticated request of the client, compared with the same bytes sent by its transport alone.
let benchmarks: @Sendable () -> Void = {
    let callers = Callers()
    for concurrency in [1, 64] {
        for caller in Caller.connected {
            Benchmark("\(caller.rawValue), concurrency \(concurrency)", configuration: .rate) { benchmark in
                let time = try await callers.time(caller, requests: 2_000, concurrency: concurrency)
                benchmark.measurement(.rate, Int((2_000 / (time / .seconds(1))).rounded()))
            } setup: {
                try await callers.prepare(caller)
            }
        }
        for caller in Caller.connected { ratio(callers, of: caller, concurrency) }
    }
    ownWork(callers)
    memory(callers)
}

/// Measures the client's own work for a request, without sending.
private func ownWork(_ callers: Callers) {
    let caller = Caller.clientAlone
    Benchmark(caller.rawValue, configuration: .time) { benchmark in
        _ = try await callers.time(caller, requests: benchmark.scaledIterations.count, concurrency: 1)
    } setup: {
        try await callers.prepare(caller)
    }
}

/// Measures a caller's time against that of the bare client below it: medians of turns in one sample, so that other load slows
/// both.
private func ratio(_ callers: Callers, of caller: Caller, _ concurrency: Int) {
    guard let peer = caller.peer else { return }
    // As short as possible: one request each, or one of every task. Longer turns vary more than the measured
    // difference.
    let turns = concurrency == 1 ? 2_001 : 201
    Benchmark("ratio: \(caller.rawValue), concurrency \(concurrency)", configuration: .ratio) { benchmark in
        var ours: [Duration] = []
        var bare: [Duration] = []
        for turn in 0..<turns {
            // The order alternates, so that neither caller always has the warmer caches.
            let order = turn.isMultiple(of: 2) ? [caller, peer] : [peer, caller]
            for next in order {
                let time = try await callers.time(next, requests: concurrency, concurrency: concurrency)
                if next == peer { bare.append(time) } else { ours.append(time) }
            }
        }
        benchmark.measurement(.ratio, Int((median(ours) / median(bare) * 1_000).rounded()))
    } setup: {
        try await callers.prepare(caller)
    }
}

/// Returns the median; a sum would be decided by one turn in which the machine was busy.
private func median(_ times: [Duration]) -> Duration { times.sorted()[times.count / 2] }

/// Measures the memory that a hundred thousand requests leave behind, including the server's part.
private func memory(_ callers: Callers) {
    guard ResidentMemory.kilobytes != nil else { return }
    for caller in [Caller.client, .transport, .httpClient, .bareHTTPClient] {
        Benchmark("memory: \(caller.rawValue)", configuration: .memory) { benchmark in
            _ = try await callers.time(caller, requests: 20_000, concurrency: 64)
            let before = ResidentMemory.kilobytes ?? 0
            _ = try await callers.time(caller, requests: 100_000, concurrency: 64)
            benchmark.measurement(.growth, max(0, (ResidentMemory.kilobytes ?? 0) - before))
        } setup: {
            try await callers.prepare(caller)
        }
    }
}

extension Benchmark.Configuration {
    fileprivate static var rate: Self {
        .init(metrics: [.rate], warmupIterations: 1, maxDuration: .seconds(3), maxIterations: 20)
    }

    fileprivate static var time: Self {
        .init(
            metrics: [.wallClock],
            warmupIterations: 5,
            scalingFactor: .kilo,
            maxDuration: .seconds(5),
            maxIterations: 2_000
        )
    }

    fileprivate static var ratio: Self {
        .init(metrics: [.ratio], warmupIterations: 1, maxDuration: .seconds(20), maxIterations: 40)
    }

    fileprivate static var memory: Self {
        .init(metrics: [.growth], warmupIterations: 0, maxDuration: .seconds(120), maxIterations: 2)
    }
}

extension BenchmarkMetric {
    fileprivate static var rate: Self {
        .custom("Requests per second", polarity: .prefersLarger, useScalingFactor: false)
    }

    fileprivate static var ratio: Self {
        .custom("Time to the bare client's, x 1000", polarity: .prefersSmaller, useScalingFactor: false)
    }

    fileprivate static var growth: Self {
        .custom("Growth over 100,000 requests (KB)", polarity: .prefersSmaller, useScalingFactor: false)
    }
}
