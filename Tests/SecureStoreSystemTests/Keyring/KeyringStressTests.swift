// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Glibc
import SecureStore
import Testing
import TestSupport

@Suite(.needsKeyring) struct KeyringStressTests {
    private static let service = "com.example.stress"
    private static let (processes, threads) = (8, 8)

    /// The duration of the test: a minute if `SALLYPORT_LONG` is set, else six seconds.
    private static var seconds: Int { unsafe getenv("SALLYPORT_LONG") == nil ? 6 : 60 }

    @Test func `no item is absent, mixed or lost while eight processes of eight tasks write, read and count`()
        async throws
    {
        try await PrivateKeyring.with { keyring in
            let store = KeyringStore(
                scope: try StoreScope(service: Self.service),
                deadline: .seconds(60),
                busAddress: keyring.address
            )
            let setUp = try StoreWorkerProcess.start(["stress-set-up", keyring.address, Self.service])
            #expect(await setUp.waitUntilExit(timeout: .seconds(60)) == 0)
            let workers = try (0..<Self.processes).map { number in
                try StoreWorkerProcess.start(
                    ["stress-keyring", keyring.address, Self.service, "\(number)", "\(Self.seconds)"]
                )
            }
            var counted = 0
            for worker in workers {
                let report = try await worker.read(until: "done", timeout: .seconds(Self.seconds + 120))
                let figures = try #require(report.firstMatch(of: /writes (\d+) reads \d+ counted (\d+) refused \d+/))
                #expect(try #require(Int(figures.1)) > 0, "a process that never came to write proves nothing")
                counted += try #require(Int(figures.2))
                #expect(await worker.waitUntilExit(timeout: .seconds(60)) == 0)
            }
            #expect(counted > 0)
            let counter = try await store.item(forKey: StoreKey("counter"))
            let last = try #require(counter).unredacted
            // Writer and number have eight bytes each, in little-endian order.
            #expect(last[8..<16].reversed().reduce(0) { $0 << 8 | Int($1) } == counted)
            for key in ["shared", "counter"] {
                #expect(try await keyring.itemCount(service: Self.service, key: key) == 1)
            }
        }
    }
}
#endif
