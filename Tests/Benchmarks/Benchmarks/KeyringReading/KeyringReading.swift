// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Benchmark
import LibsecretLookup
import SecureStore

/// A read of an item of 2,000 bytes, about the size of a session, compared with libsecret's own lookup of it.
///
/// Needs an unlocked keyring on the session bus; `Tests/Support/private-keyring` provides one.
let benchmarks: @Sendable () -> Void = {
    let subject = Subject()

    Benchmark("keyring: Sallyport", configuration: .time) { _ in
        try await subject.read()
    } setup: {
        try await subject.prepare()
    }
    Benchmark("keyring: secret_password_lookupv_sync", configuration: .time) { _ in
        try subject.look()
    } setup: {
        try await subject.prepare()
    }
    Benchmark("keyring ratio: Sallyport to libsecret", configuration: .ratio) { benchmark in
        let clock = ContinuousClock()
        var ours: [Duration] = []
        var theirs: [Duration] = []
        for _ in 0..<50 {
            ours.append(try await clock.measure { try await subject.read() })
            theirs.append(try clock.measure { try subject.look() })
        }
        // Medians, so that a single delayed read does not decide.
        benchmark.measurement(.ratio, Int((ours.median / theirs.median * 100).rounded()))
    } setup: {
        try await subject.prepare()
    }
}

/// One item, and the two ways to read it.
private struct Subject: Sendable {
    struct WrongResponse: Error {}

    private static let service = "com.example.benchmark"
    private static let size = 2_000
    private let store: Result<KeyringStore, any Error>
    private let key: Result<StoreKey, any Error>

    init() {
        store = Result { try KeyringStore(service: Self.service) }
        key = Result { try StoreKey("session") }
    }

    func prepare() async throws {
        let item = SecretBytes((0..<Self.size).map { UInt8(ascii: "a") + UInt8($0 % 26) })
        try await store.get().setItem(item, forKey: try key.get())
        for _ in 0..<50 {
            try await read()
            try look()
        }
    }

    func read() async throws {
        guard try await store.get().item(forKey: try key.get())?.count == Self.size else { throw WrongResponse() }
    }

    func look() throws {
        guard libsecret_lookup(Self.service, "default", try key.get().name) == Self.size else { throw WrongResponse() }
    }
}

extension [Duration] {
    fileprivate var median: Duration { sorted()[count / 2] }
}

extension Benchmark.Configuration {
    fileprivate static var time: Self {
        .init(metrics: [.wallClock], warmupIterations: 5, maxDuration: .seconds(5), maxIterations: 2_000)
    }

    fileprivate static var ratio: Self {
        .init(metrics: [.ratio], warmupIterations: 1, maxDuration: .seconds(20), maxIterations: 50)
    }
}

extension BenchmarkMetric {
    fileprivate static var ratio: Self {
        .custom("Sallyport's time to libsecret's, x 100", polarity: .prefersSmaller, useScalingFactor: false)
    }
}
