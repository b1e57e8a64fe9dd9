// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import SecureStore
import Testing
import TestSupport

/// Prompts of the real daemon, shown by a prompter that uses the protocol of the desktop's own prompter.
@Suite(.needsKeyring, .enabled(if: KeyringPrompter.isAvailable, "needs python3-secretstorage; Tests/run installs it"))
struct KeyringPromptTests {
    private let item = SecretBytes(text: "kept behind the lock")
    private var soon: InteractionPolicy { .allowed(until: .now + .seconds(60)) }

    @Test func `a read that may prompt unlocks the keyring and succeeds`() async throws {
        try await locked(.password) { keyring, _ in
            let store = try keyring.store()
            #expect(try await store.item(forKey: .session, interaction: soon) == item)
            #expect(try await !keyring.isLocked())
        }
    }

    @Test(arguments: ["write", "replace", "remove", "remove equal", "keys", "remove all", "probe"])
    func `every kind of call can prompt`(call: String) async throws {
        try await locked(.password) { keyring, _ in
            let (store, other) = (try keyring.store(), SecretBytes(text: "other"))
            switch call {
            case "write": try await store.setItem(other, forKey: .session, interaction: soon)
            case "replace":
                #expect(
                    try await store.replaceItem(forKey: .session, ifEquals: item, with: other, interaction: soon)
                )
            case "remove": try await store.removeItem(forKey: .session, interaction: soon)
            case "remove equal":
                #expect(try await store.removeItem(forKey: .session, ifEquals: item, interaction: soon))
            case "keys": #expect(try await store.keys(interaction: soon) == [.session])
            case "remove all": try await store.removeAll(interaction: soon)
            default: try await store.probe(interaction: soon)
            }
            let expected: SecretBytes? =
                switch call {
                case "write", "replace": other
                case "keys", "probe": item
                default: nil
                }
            #expect(try await store.item(forKey: .session) == expected)
        }
    }

    @Test func `a read that may prompt also unlocks a keyring that was never unlocked`() async throws {
        try await PrivateKeyring.with { keyring in
            try await keyring.store().setItem(item, forKey: .session)
            try await keyring.kill()
            try await keyring.start(.cold)
            let prompter = try await KeyringPrompter(keyring, .password)
            #expect(try await keyring.store().item(forKey: .session, interaction: soon) == item)
            await prompter.leave()
        }
    }

    @Test func `concurrent callers share one prompt`() async throws {
        try await locked(.password) { keyring, prompter in
            let store = try keyring.store()
            try await withThrowingTaskGroup(of: SecretBytes?.self) { group in
                for _ in 0..<20 { group.addTask { try await store.item(forKey: .session, interaction: soon) } }
                for try await answer in group { #expect(answer == item) }
            }
            #expect(await prompter.leave() == 1)
        }
    }

    @Test func `a call that may not prompt throws locked while another call's prompt is open`() async throws {
        try await locked(.never) { keyring, prompter in
            let store = try keyring.store()
            let asking = Task { try await store.item(forKey: .session, interaction: soon) }
            try await prompter.waitForPrompt()
            await #expect(throws: SecureStoreError(.locked)) { try await store.item(forKey: .session) }
            asking.cancel()
            await #expect(throws: CancellationError.self) { try await asking.value }
        }
    }

    @Test func `a dismissed prompt throws promptDismissed, and the keyring stays locked`() async throws {
        try await locked(.cancel) { keyring, prompter in
            let store = try keyring.store()
            let dismissed = SecureStoreError(.promptDismissed)
            await #expect(throws: dismissed) { try await store.item(forKey: .session, interaction: soon) }
            await #expect(throws: SecureStoreError(.locked)) { try await store.item(forKey: .session) }
            // The next call that may ask shows a prompt again.
            await #expect(throws: dismissed) { try await store.removeItem(forKey: .session, interaction: soon) }
            #expect(await prompter.leave() == 2)
            try await keyring.unlock()
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `a call throws promptDismissed if no prompt can be shown`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            try await store.setItem(item, forKey: .session)
            try await keyring.lock()
            await #expect(throws: SecureStoreError(.promptDismissed)) {
                try await store.item(forKey: .session, interaction: soon)
            }
        }
    }

    @Test func `a call times out at the given time if the user does not respond to the prompt`() async throws {
        try await locked(.never) { keyring, prompter in
            let store = try keyring.store()
            let policy = InteractionPolicy.allowed(until: .now + .seconds(2))
            let time = await ContinuousClock().measure {
                _ = await #expect(throws: SecureStoreError(.timedOut)) {
                    try await store.item(forKey: .session, interaction: policy)
                }
            }
            #expect(time < .seconds(60))
            // The prompt is still open, and the keyring continues to work for others.
            try await keyring.unlock()
            #expect(try await keyring.store().item(forKey: .session) == item)
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `an interaction policy with a time in the past shows no prompt`() async throws {
        try await locked(.password) { keyring, prompter in
            await #expect(throws: SecureStoreError(.locked)) {
                try await keyring.store().item(forKey: .session, interaction: .allowed(until: .now - .seconds(1)))
            }
            #expect(await prompter.leave() == 0)
        }
    }

    @Test func `a cancelled call returns at once and does not dismiss the prompt`() async throws {
        try await locked(.never) { keyring, prompter in
            let store = try keyring.store()
            let monitor = try await keyring.bus.monitor()
            let first = Task { try await store.item(forKey: .session, interaction: soon) }
            try await prompter.waitForPrompt()
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            let second = Task { try await store.item(forKey: .session, interaction: soon) }
            // The prompt ends when it can't be shown any more. The call that joined it ends too.
            await prompter.leave()
            await #expect(throws: SecureStoreError.self) { try await second.value }
            _ = try await keyring.bus.hasOwner(of: "com.example.sentinel")
            let traffic = try await monitor.read(until: "com.example.sentinel")
            await monitor.end()
            #expect(!traffic.contains("member=Dismiss"))
            try await keyring.unlock()
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `a call throws noProvider if the daemon dies during its prompt, and succeeds after a restart`()
        async throws
    {
        try await locked(.never) { keyring, prompter in
            let store = try keyring.store()
            let asking = Task { try await store.item(forKey: .session, interaction: soon) }
            try await prompter.waitForPrompt()
            try await keyring.kill()
            await #expect(throws: SecureStoreError(.noProvider)) { try await asking.value }
            try await keyring.start(.unlocked)
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `a call throws noSessionBus if the bus dies while a prompt is open`() async throws {
        try await locked(.never) { keyring, prompter in
            let store = try keyring.store()
            let asking = Task { try await store.item(forKey: .session, interaction: soon) }
            try await prompter.waitForPrompt()
            await keyring.bus.stop()
            await #expect(throws: SecureStoreError(.noSessionBus)) { try await asking.value }
        }
    }

    @Test func `a write that may prompt creates a missing default keyring`() async throws {
        try await PrivateKeyring.with(.withoutCollection) { keyring in
            let prompter = try await KeyringPrompter(keyring, .password)
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.noCollection)) {
                try await store.item(forKey: .session, interaction: soon)
            }
            try await store.setItem(item, forKey: .session, interaction: soon)
            #expect(try await store.item(forKey: .session) == item)
            await prompter.leave()
        }
    }

    /// Runs a test with a locked keyring that has an item, and with a simulated user.
    private func locked(
        _ answer: KeyringPrompter.Answer,
        _ body: (PrivateKeyring, KeyringPrompter) async throws -> Void
    ) async throws {
        try await PrivateKeyring.with { keyring in
            try await keyring.store().setItem(item, forKey: .session)
            try await keyring.lock()
            let prompter = try await KeyringPrompter(keyring, answer)
            do {
                try await body(keyring, prompter)
            } catch {
                await prompter.leave()
                throw error
            }
            await prompter.leave()
        }
    }
}
#endif
