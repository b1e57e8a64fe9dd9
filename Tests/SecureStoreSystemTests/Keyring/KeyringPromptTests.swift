// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import AuthTesting
import Foundation
import SecureStore
import Testing
import TestSupport

/// Prompts of the real daemon, shown by a prompter that uses the protocol of the desktop's own prompter.
@Suite(.needsKeyring, .enabled(if: KeyringPrompter.isAvailable, "needs python3-secretstorage; Tests/run installs it"))
struct KeyringPromptTests {
    private let item = SecretBytes(text: "kept behind the lock")
    private let soon = Duration.seconds(60)

    @Test func `unlocking prompts once, and every call then succeeds`() async throws {
        try await locked(.password) { keyring, prompter in
            let store = try keyring.store()
            try await store.unlock(timeout: soon)
            #expect(try await !keyring.isLocked())
            #expect(try await store.item(forKey: .session) == item)
            // Nothing is locked any more.
            try await store.unlock(timeout: soon)
            for operation in StoreOperation.allCases { try await operation.run(on: store, expecting: item) }
            #expect(await prompter.leave() == 1)
        }
    }

    @Test func `unlocking also unlocks a keyring that was never unlocked`() async throws {
        try await PrivateKeyring.with { keyring in
            try await keyring.store().setItem(item, forKey: .session)
            try await keyring.kill()
            try await keyring.start(.cold)
            let prompter = try await KeyringPrompter(keyring, .password)
            let store = try keyring.store()
            try await store.unlock(timeout: soon)
            #expect(try await store.item(forKey: .session) == item)
            await prompter.leave()
        }
    }

    @Test func `concurrent callers share one prompt`() async throws {
        try await locked(.password) { keyring, prompter in
            let store = try keyring.store()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { try await store.unlock(timeout: soon) } }
                try await group.waitForAll()
            }
            #expect(try await store.item(forKey: .session) == item)
            #expect(await prompter.leave() == 1)
        }
    }

    @Test func `a read throws locked while a prompt is open`() async throws {
        try await locked(.never) { keyring, prompter in
            let store = try keyring.store()
            let asking = Task { try await store.unlock(timeout: soon) }
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
            await #expect(throws: dismissed) { try await store.unlock(timeout: soon) }
            await #expect(throws: SecureStoreError(.locked)) { try await store.item(forKey: .session) }
            // The next call shows a prompt again.
            await #expect(throws: dismissed) { try await store.unlock(timeout: soon) }
            #expect(await prompter.leave() == 2)
            try await keyring.unlock()
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `unlocking throws promptDismissed if no prompt can be shown`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            try await store.setItem(item, forKey: .session)
            try await keyring.lock()
            await #expect(throws: SecureStoreError(.promptDismissed)) { try await store.unlock(timeout: soon) }
        }
    }

    @Test func `unlocking times out at the given time if the user does not respond to the prompt`() async throws {
        try await locked(.never) { keyring, prompter in
            let store = try keyring.store()
            let time = await ContinuousClock().measure {
                _ = await #expect(throws: SecureStoreError(.timedOut)) { try await store.unlock(timeout: .seconds(2)) }
            }
            #expect(time < .seconds(60))
            // The prompt is still open, and the keyring continues to work for others.
            try await keyring.unlock()
            #expect(try await keyring.store().item(forKey: .session) == item)
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `a cancelled caller returns at once and does not dismiss the prompt`() async throws {
        try await locked(.never) { keyring, prompter in
            let store = try keyring.store()
            let monitor = try await keyring.bus.monitor()
            let first = Task { try await store.unlock(timeout: soon) }
            try await prompter.waitForPrompt()
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            let second = Task { try await store.unlock(timeout: soon) }
            // The prompt ends when it can't be shown any more. The caller that joined it returns too.
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

    @Test func `unlocking throws noProvider if the daemon dies during its prompt, and a call succeeds after a restart`()
        async throws
    {
        try await locked(.never) { keyring, prompter in
            let store = try keyring.store()
            let asking = Task { try await store.unlock(timeout: soon) }
            try await prompter.waitForPrompt()
            try await keyring.kill()
            await #expect(throws: SecureStoreError(.noProvider)) { try await asking.value }
            try await keyring.start(.unlocked)
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `unlocking throws noSessionBus if the bus dies while a prompt is open`() async throws {
        try await locked(.never) { keyring, prompter in
            let store = try keyring.store()
            let asking = Task { try await store.unlock(timeout: soon) }
            try await prompter.waitForPrompt()
            await keyring.bus.stop()
            await #expect(throws: SecureStoreError(.noSessionBus)) { try await asking.value }
        }
    }

    @Test func `unlocking creates a missing default keyring, which no other call does`() async throws {
        try await PrivateKeyring.with(.withoutCollection) { keyring in
            let prompter = try await KeyringPrompter(keyring, .password)
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.noCollection)) { try await store.item(forKey: .session) }
            await #expect(throws: SecureStoreError(.noCollection)) { try await store.setItem(item, forKey: .session) }
            try await store.unlock(timeout: soon)
            try await store.setItem(item, forKey: .session)
            #expect(try await store.item(forKey: .session) == item)
            await prompter.leave()
        }
    }

    @Test(.needsScriptedKeyring) func `only unlocking prompts, on a keyring that counts its prompts`() async throws {
        try await ScriptedKeyring.with { keyring in
            try await SecureStoreConformance.checkUnlocking(
                keyring.store(),
                locking: { try await keyring.say("lock") },
                promptCount: { try await keyring.calls(of: "Prompt") }
            )
            #expect(try await keyring.violations() == [])
        }
    }

    @Test(.needsScriptedKeyring) func `unlocking asks for items that are locked by themselves`() async throws {
        try await ScriptedKeyring.with([ScriptedKeyring.item("kept"), "lock-items"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.locked)) { try await store.item(forKey: .session) }
            try await store.unlock(timeout: soon)
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "kept"))
            #expect(try await keyring.calls(of: "Unlock") == 1)
            #expect(try await keyring.violations() == [])
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
