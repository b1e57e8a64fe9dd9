import Benchmark

/// An authenticated request of the client's, beside the same bytes sent by its transport alone.
let benchmarks: @Sendable () -> Void = {
    let callers = Callers()
    for concurrency in [1, 64] {
        for caller in Caller.allCases {
            Benchmark("\(caller.rawValue), concurrency \(concurrency)", configuration: .rate) { benchmark in
                let time = try await callers.time(caller, requests: 2_000, concurrency: concurrency)
                benchmark.measurement(.rate, Int((2_000 / (time / .seconds(1))).rounded()))
            } setup: {
                try await callers.prepare()
            }
        }
        for caller in Caller.allCases where caller != .transport { ratio(callers, of: caller, concurrency) }
    }
    memory(callers)
}

/// A caller's time to the bare transport's, in turns within one sample: what else the machine does slows both.
private func ratio(_ callers: Callers, of caller: Caller, _ concurrency: Int) {
    Benchmark("ratio: \(caller.rawValue), concurrency \(concurrency)", configuration: .ratio) { benchmark in
        var ours = Duration.zero
        var bare = Duration.zero
        for turn in 0..<20 {
            // Who goes first changes from turn to turn, so that neither always has the warmer caches.
            let order = turn.isMultiple(of: 2) ? [caller, .transport] : [.transport, caller]
            for next in order {
                let time = try await callers.time(next, requests: 128, concurrency: concurrency)
                if next == .transport { bare += time } else { ours += time }
            }
        }
        benchmark.measurement(.ratio, Int((ours / bare * 1_000).rounded()))
    } setup: {
        try await callers.prepare()
    }
}

/// What stays in memory of a hundred thousand requests, the server's half included.
private func memory(_ callers: Callers) {
    guard ResidentMemory.kilobytes != nil else { return }
    for caller in Caller.allCases where caller != .clientWithoutAsking {
        Benchmark("memory: \(caller.rawValue)", configuration: .memory) { benchmark in
            _ = try await callers.time(caller, requests: 20_000, concurrency: 64)
            let before = ResidentMemory.kilobytes ?? 0
            _ = try await callers.time(caller, requests: 100_000, concurrency: 64)
            benchmark.measurement(.growth, max(0, (ResidentMemory.kilobytes ?? 0) - before))
        } setup: {
            try await callers.prepare()
        }
    }
}

extension Benchmark.Configuration {
    fileprivate static var rate: Self {
        .init(metrics: [.rate], warmupIterations: 1, maxDuration: .seconds(3), maxIterations: 20)
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
        .custom("Time to the bare transport's, x 1000", polarity: .prefersSmaller, useScalingFactor: false)
    }

    fileprivate static var growth: Self {
        .custom("Growth over 100,000 requests (KB)", polarity: .prefersSmaller, useScalingFactor: false)
    }
}
