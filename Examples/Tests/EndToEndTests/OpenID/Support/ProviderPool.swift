// SPDX-License-Identifier: Apache-2.0

import SharedTestSupport
import Synchronization

/// A few misbehaving providers: each has one fault at a time, and so serves one test at a time.
///
/// They are reused by later tests, and end with the process of these tests.
final class ProviderPool: Sendable {
    static let shared = ProviderPool(places: 4)

    private let turnstile: Turnstile
    private let idle = Mutex<[MisbehavingProvider]>([])

    init(places: Int) {
        turnstile = Turnstile(places: places)
    }

    /// Runs a test with a provider of its own, without a fault at first.
    func with<Value>(_ test: (MisbehavingProvider) async throws -> Value) async throws -> Value {
        try await turnstile.pass {
            let provider = try await provider()
            defer { idle.withLock { $0.append(provider) } }
            return try await test(provider)
        }
    }

    private func provider() async throws -> MisbehavingProvider {
        let idle = idle.withLock { $0.popLast() }
        let provider = if let idle { idle } else { try await MisbehavingProvider.start() }
        do {
            try await provider.behave()
        } catch {
            await provider.end()
            throw error
        }
        return provider
    }
}
