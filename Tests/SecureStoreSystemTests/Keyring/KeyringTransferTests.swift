// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore

/// The secrets on the bus, as each program of the same user can watch them.
@Suite(.needsKeyring, .needsScriptedKeyring) struct KeyringTransferTests {
    private static let first = "first-secret-to-look-for"
    private static let second = "second-secret-to-look-for"

    /// Writes, replaces, reads and removes items, and returns all messages that crossed the bus meanwhile.
    private func traffic(of store: KeyringStore, on bus: PrivateBus) async throws -> String {
        let monitor = try await bus.monitor()
        let (first, second) = (SecretBytes(text: Self.first), SecretBytes(text: Self.second))
        try await store.setItem(first, forKey: .session)
        #expect(try await store.item(forKey: .session) == first)
        #expect(try await store.replaceItem(forKey: .session, ifEquals: first, with: second))
        #expect(try await store.item(forKey: .session) == second)
        #expect(try await store.replaceItem(forKey: .session, ifEquals: second, with: nil))
        _ = try await bus.hasOwner(of: "com.example.end")
        let text = try await monitor.read(until: "com.example.end")
        await monitor.end()
        #expect(text.contains("member=GetSecret") && text.contains("member=SetSecret"))
        return text
    }

    @Test func `no secret crosses the bus in plaintext`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            let text = try await traffic(of: store, on: keyring.bus)
            #expect(!text.contains(Self.first) && !text.contains(Self.second))
        }
    }

    @Test(.needsKeePassXC) func `no secret crosses the bus of a KeePassXC in plaintext`() async throws {
        try await PrivateKeePassXC.with { keyring in
            let scope = try StoreScope(service: "com.example.tests")
            let store = KeyringStore(scope: scope, deadline: .seconds(60), busAddress: keyring.address)
            let text = try await traffic(of: store, on: keyring.bus)
            #expect(!text.contains(Self.first) && !text.contains(Self.second))
        }
    }

    @Test func `a keyring that does not encrypt is used`() async throws {
        try await ScriptedKeyring.with(["plain-only"]) { keyring in
            let store = try keyring.store()
            let text = try await traffic(of: store, on: keyring.bus)
            // The test above finds nothing, because there is nothing: this one finds it.
            #expect(text.contains(Self.first) && text.contains(Self.second))
        }
    }

    @Test(arguments: [[], [0], Array("text".utf8), [0xff, 0xfe, 0], Array(repeating: 7, count: 100_000)] as [[UInt8]])
    func `each value is the same after it has crossed the bus`(bytes: [UInt8]) async throws {
        for commands in [[], ["plain-only"]] {
            try await ScriptedKeyring.with(commands) { keyring in
                let store = try keyring.store()
                try await store.setItem(SecretBytes(bytes), forKey: .session)
                #expect(try await store.item(forKey: .session)?.unredacted == bytes)
            }
        }
    }

    @Test(arguments: [
        "tcp:host=127.0.0.1,port=1", "unixexec:path=/bin/false", "autolaunch:", "nonce-tcp:host=h,port=1,noncefile=/n",
        "unix:path=/nowhere;tcp:host=127.0.0.1,port=1", "UNIX:path=/nowhere", " unix:path=/nowhere", "",
    ])
    func `an address from the environment that is not a local socket is refused`(address: String) async throws {
        let scope = try StoreScope(service: "com.example.tests")
        let environment = KeyringEnvironment(busAddress: address)
        let store = KeyringStore(scope: scope, deadline: .seconds(5), environment: environment)
        let error = await #expect(throws: SecureStoreError(.noSessionBus)) { try await store.item(forKey: .session) }
        #expect(error?.detail == "not a local socket")
    }

    @Test func `a store connects to a bus that the app names, whatever its address`() async throws {
        // No program listens there.
        let address = "tcp:host=127.0.0.1,port=1"
        let named = KeyringStore(scope: try StoreScope(service: "com.example.tests"), busAddress: address)
        let error = try await #require(throws: SecureStoreError.self) { try await named.item(forKey: .session) }
        #expect(error.code == .noSessionBus && error.detail?.hasPrefix("g-io-error-quark/") == true)
    }
}
#endif
