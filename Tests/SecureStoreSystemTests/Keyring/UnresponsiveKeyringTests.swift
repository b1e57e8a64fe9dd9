// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore
@testable import SecureStoreTests

/// The time that a command takes whose keyring does not reply.
@Suite struct UnresponsiveKeyringTests {
    @Test func `after a call without a reply, each call to a bus that does not respond takes a second`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let socket = folder.url.appendingPathComponent("mute")
        let mute = try UnixSocket.mute(at: socket)
        defer { withExtendedLifetime(mute) {} }
        let scope = try StoreScope(service: "com.example.one")
        let store = KeyringStore(scope: scope, deadline: .seconds(4), busAddress: "unix:path=\(socket.path)")
        let time = await ContinuousClock().measure {
            for operation in [StoreOperation.read, .remove, .removeExpected, .read] {
                await #expect(throws: SecureStoreError(.timedOut)) {
                    try await operation.run(on: store, expecting: SecretBytes([1]))
                }
            }
        }
        #expect(time > .seconds(6) && time < .seconds(12), "with a deadline for each call it was 16 seconds")
    }

    @Test(.needsKeyring) func `a sign-out from a stopped daemon is recorded within two deadlines`() async throws {
        try await PrivateKeyring.with { keyring in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            func store(deadline: Duration) throws -> PendingRemovals {
                PendingRemovals(try keyring.store(deadline: deadline), notesIn: folder.url.path)
            }
            try await store(deadline: .seconds(60)).setItem(SecretBytes(text: "kept"), forKey: .session)
            keyring.pause()
            let hasty = try store(deadline: .seconds(3))
            let time = try await ContinuousClock().measure {
                // A sign-out does the same: it reads, then removes an item that can't be read.
                await #expect(throws: SecureStoreError(.timedOut)) { try await hasty.item(forKey: .session) }
                for key in [StoreKey.session, .other] { try await hasty.removeItem(forKey: key) }
            }
            #expect(time < .seconds(8), "with a deadline for each call it was 9 seconds")
            #expect(try hasty.pending == [.session, .other])
            keyring.resume()
            // The keyring is used again once it recovers, and the remembered removal is carried out.
            let patient = try store(deadline: .seconds(60))
            #expect(try await patient.item(forKey: .session) == nil)
            #expect(try await keyring.itemCount() == 0)
            #expect(patient.hasFinished)
        }
    }
}
#endif
