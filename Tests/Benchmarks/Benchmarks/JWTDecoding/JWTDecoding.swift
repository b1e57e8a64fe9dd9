// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Benchmark

let benchmarks: @Sendable () -> Void = {
    let bytes = SampleToken.compact.utf8.count
    precondition((800...950).contains(bytes), "the sample is not of Apple's size")

    for contender in Contender.allCases {
        Benchmark("\(contender.rawValue)", configuration: .time) { benchmark in
            for _ in benchmark.scaledIterations { try await contender.decode() }
        }
        // Allocations are counted only with glibc.
        guard Allocations.soFar > 0 else { continue }
        Benchmark("allocations: \(contender.rawValue)", configuration: .allocations) { benchmark in
            try await contender.decode()
            let before = Allocations.soFar
            for _ in 0..<100 { try await contender.decode() }
            benchmark.measurement(.allocations, (Allocations.soFar - before) / 100)
        }
    }
    ratios()
    lengths()
}

/// Measures each contender's time relative to Sallyport's, in turns within one sample, so that other load slows all
/// of them.
private func ratios() {
    let metric = BenchmarkMetric.custom("Sallyport's time, x 100", polarity: .prefersLarger, useScalingFactor: false)
    for contender in Contender.allCases where contender != .sallyport {
        Benchmark("ratio: \(contender.rawValue)", configuration: .ratio(metric)) { benchmark in
            let clock = ContinuousClock()
            var ours = Duration.zero
            var theirs = Duration.zero
            for _ in 0..<20 {
                ours += try await clock.measure { for _ in 0..<20 { try await Contender.sallyport.decode() } }
                theirs += try await clock.measure { for _ in 0..<20 { try await contender.decode() } }
            }
            benchmark.measurement(metric, Int((theirs / ours * 100).rounded()))
        }
    }
}

/// Measures the time per byte, for tokens of a thousand to sixty thousand bytes.
private func lengths() {
    let metric = BenchmarkMetric.custom("Time per 1,000 bytes (ns)", polarity: .prefersSmaller, useScalingFactor: false)
    for length in [1_000, 10_000, 60_000] {
        let token = SampleToken.long(length)
        Benchmark("length: \(length) bytes", configuration: .ratio(metric)) { benchmark in
            let clock = ContinuousClock()
            let rounds = 1_000_000 / length
            let time = try clock.measure { for _ in 0..<rounds { blackHole(try UnverifiedJWT(token)) } }
            let thousands = Double(rounds * token.utf8.count) / 1_000
            benchmark.measurement(metric, Int((time / .nanoseconds(1) / thousands).rounded()))
        }
    }
}

extension Benchmark.Configuration {
    fileprivate static var time: Self {
        .init(
            metrics: [.wallClock, .throughput],
            warmupIterations: 5,
            scalingFactor: .kilo,
            maxDuration: .seconds(4),
            maxIterations: 2_000
        )
    }

    fileprivate static var allocations: Self {
        .init(metrics: [.allocations], warmupIterations: 1, maxDuration: .seconds(1), maxIterations: 20)
    }

    fileprivate static func ratio(_ metric: BenchmarkMetric) -> Self {
        .init(metrics: [metric], warmupIterations: 2, maxDuration: .seconds(4), maxIterations: 400)
    }
}

extension BenchmarkMetric {
    fileprivate static var allocations: Self {
        .custom("Allocations of one decoding", polarity: .prefersSmaller, useScalingFactor: false)
    }
}
