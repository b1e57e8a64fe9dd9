// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import SecureStore
import Testing
import TestSupport

@Suite(.needsKeyring) struct KeyringFaultTests {
    private let item = SecretBytes(text: "kept")
    /// A deadline that is short for a test, but long enough for a busy machine if a reply is expected.
    private let brief = Duration.milliseconds(300)

    @Test(arguments: ["unix:path=/nonexistent/bus", "not an address", "unix:path=/dev/null"])
    func `a call throws noSessionBus if the address has no listener`(address: String) async throws {
        let scope = try StoreScope(service: "com.example.tests")
        let store = KeyringStore(scope: scope, deadline: .seconds(60), busAddress: address)
        try await expect(.noSessionBus, from: store)
    }

    @Test func `a call throws noProvider if the bus has no keyring service`() async throws {
        try await PrivateKeyring.busWithoutProvider { bus in
            let scope = try StoreScope(service: "com.example.tests")
            let store = KeyringStore(scope: scope, deadline: .seconds(60), busAddress: bus.address)
            try await expect(.noProvider, from: store)
        }
    }

    @Test func `a call ends at the deadline if the socket accepts and never responds`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let socket = folder.url.appendingPathComponent("mute")
        let mute = try UnixSocket.mute(at: socket)
        defer { withExtendedLifetime(mute) {} }
        let store = KeyringStore(
            scope: try StoreScope(service: "com.example.tests"),
            deadline: brief,
            busAddress: "unix:path=\(socket.path)"
        )
        let time = try await ContinuousClock().measure { try await expect(.timedOut, from: store) }
        // The machine may be busy. Without a deadline, the call would never end.
        #expect(time < .seconds(60))
    }

    @Test func `a call throws noSessionBus after the bus dies`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            try await store.setItem(item, forKey: .session)
            await keyring.bus.stop()
            try await expect(.noSessionBus, from: store)
        }
    }

    @Test func `a call throws noProvider after the daemon is killed, and succeeds after its restart`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            try await store.setItem(item, forKey: .session)
            try await keyring.kill()
            try await expect(.noProvider, from: store)
            try await keyring.start(.unlocked)
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `a restart of the daemon between two calls does not fail the second call`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            for round in 1...3 {
                try await store.setItem(SecretBytes(text: "\(round)"), forKey: .session)
                try await keyring.kill()
                try await keyring.start(.unlocked)
                #expect(try await store.item(forKey: .session) == SecretBytes(text: "\(round)"))
            }
            #expect(try await keyring.itemCount() == 1)
        }
    }

    @Test func `restarts of the daemon leave no connection open`() async throws {
        let worker = try StoreWorkerProcess.start(["restart-keyring", "5"])
        let report = try await worker.read(until: "done", timeout: .seconds(120))
        #expect(report.contains("more sockets 0\n"), "\(report)")
    }

    @Test func `a call to a stopped daemon times out, and succeeds once the daemon continues`() async throws {
        try await PrivateKeyring.with { keyring in
            let (patient, store) = try (keyring.store(), keyring.store(deadline: brief))
            try await patient.setItem(item, forKey: .session)
            keyring.pause()
            let time = try await ContinuousClock().measure { try await expect(.timedOut, from: store) }
            #expect(time < .seconds(60))
            keyring.resume()
            #expect(try await patient.item(forKey: .session) == item)
        }
    }

    @Test func `calls behind a stuck call end at their own deadline`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store(deadline: brief)
            keyring.pause()
            let time = try await ContinuousClock().measure {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<200 { group.addTask { try await expect(.timedOut, from: store) } }
                    try await group.waitForAll()
                }
            }
            // One after the other, the calls would take a minute for each of the four operations.
            #expect(time < .seconds(60))
        }
    }

    @Test(arguments: ["OpenSession", "SearchItems"])
    func `a call throws noProvider if the daemon dies during the call`(method: String) async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store(deadline: .seconds(600))
            if method == "SearchItems" { try await store.setItem(item, forKey: .session) }
            let monitor = try await keyring.bus.monitor()
            keyring.pause()
            let answer = Task { try await store.item(forKey: .session) }
            _ = try await monitor.read(until: "member=\(method)")
            try await keyring.kill()
            await #expect(throws: SecureStoreError(.noProvider)) { try await answer.value }
            await monitor.end()
        }
    }

    @Test func `a cancelled call returns at once, and the next call succeeds`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store(deadline: .seconds(600))
            try await store.setItem(item, forKey: .session)
            let monitor = try await keyring.bus.monitor()
            keyring.pause()
            let task = Task { try await store.item(forKey: .session) }
            _ = try await monitor.read(until: "member=SearchItems")
            await monitor.end()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            keyring.resume()
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `a hundred concurrent calls all succeed`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store(deadline: .seconds(60))
            try await store.setItem(item, forKey: .session)
            try await withThrowingTaskGroup(of: SecretBytes?.self) { group in
                for _ in 0..<100 { group.addTask { try await store.item(forKey: .session) } }
                for try await answer in group { #expect(answer == item) }
            }
        }
    }

    @Test func `an item that is too large is refused before the keyring is called`() async throws {
        let scope = try StoreScope(service: "com.example.tests")
        let store = KeyringStore(scope: scope, busAddress: "unix:path=/nonexistent")
        let large = SecretBytes(Array(repeating: 1, count: SecretBytes.maximumItemSize + 1))
        await #expect(throws: SecureStoreError(.itemTooLarge)) { try await store.setItem(large, forKey: .session) }
    }

    private func expect(_ code: SecureStoreError.Code, from store: KeyringStore) async throws {
        await #expect(throws: SecureStoreError(code)) { try await store.item(forKey: .session) }
        await #expect(throws: SecureStoreError(code)) { try await store.setItem(item, forKey: .session) }
        await #expect(throws: SecureStoreError(code)) { try await store.removeItem(forKey: .session) }
        await #expect(throws: SecureStoreError(code)) {
            try await store.replaceItem(forKey: .session, ifEquals: item, with: nil)
        }
    }
}
#endif
