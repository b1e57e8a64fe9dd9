// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import SecureStore
import Testing
import TestSupport

/// Keyrings that respond to every `Delete` with a prompt, as KeePassXC does.
@Suite(.needsScriptedKeyring) struct KeyringDeletionTests {
    private let item = SecretBytes(text: "kept")
    private static let asking = [ScriptedKeyring.item("kept"), "offer Delete"]
    private static let withoutSet = asking + ["error Set org.freedesktop.DBus.Error.UnknownMethod"]
    private var soon: InteractionPolicy { .allowed(until: .now + .seconds(60)) }

    @Test(arguments: [StoreOperation.remove, .removeExpected, .removeAll])
    func `a removal shows no prompt, and the later deletion of the emptied entry shows one`(
        operation: StoreOperation
    ) async throws {
        try await ScriptedKeyring.with(Self.asking) { keyring in
            let store = try keyring.store()
            switch operation {
            case .remove: try await store.removeItem(forKey: .session, interaction: soon)
            case .removeAll: try await store.removeAll(interaction: soon)
            default: #expect(try await store.removeItem(forKey: .session, ifEquals: item, interaction: soon))
            }
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await keyring.calls(of: "Prompt") == 0)
            #expect(try await store.emptiedItemCount() == 1)
            try await store.deleteEmptiedItems(interaction: .never)
            #expect(try await keyring.calls(of: "Prompt") == 0)
            try await store.deleteEmptiedItems(interaction: soon)
            #expect(try await keyring.calls(of: "Prompt") == 1)
            #expect(try await store.emptiedItemCount() == 0)
            #expect(try await keyring.violations() == [])
        }
    }

    @Test func `a deletion prompts once for each emptied entry of its own scope`() async throws {
        let others = [ScriptedKeyring.item("kept").replacing("account=default", with: "account=work")]
        try await ScriptedKeyring.with(Self.asking + others) { keyring in
            let account = try StoreAccount("work")
            let service = try StoreService(keyring.service)
            let other = KeyringStore(service: service, account: account, busAddress: keyring.address)
            let store = try keyring.store()
            try await other.removeItem(forKey: .session)
            try await store.setItem(item, forKey: StoreKey("other"))
            try await store.removeAll()
            try await store.deleteEmptiedItems(interaction: soon)
            #expect(try await keyring.calls(of: "Prompt") == 2)
            #expect(try await store.emptiedItemCount() == 0)
            #expect(try await other.emptiedItemCount() == 1)
            #expect(try await keyring.violations() == [])
        }
    }

    @Test(arguments: ["dismissed", "exit"])
    func `the next item reuses the emptied entry if the user does not agree to its deletion`(
        answer: String
    ) async throws {
        try await ScriptedKeyring.with(Self.asking + ["prompt \(answer)"]) { keyring in
            let store = try keyring.store()
            try await store.removeItem(forKey: .session)
            guard answer != "exit" else {
                await #expect(throws: SecureStoreError(.noProvider)) {
                    try await store.deleteEmptiedItems(interaction: soon)
                }
                // The items are lost with the service that died.
                return #expect(await keyring.hasDied())
            }
            try await store.deleteEmptiedItems(interaction: soon)
            #expect(try await store.emptiedItemCount() == 1)
            try await store.setItem(item, forKey: .session)
            #expect(try await store.item(forKey: .session) == item)
            #expect(try await keyring.calls(of: "CreateItem") == 0)
            #expect(try await keyring.violations() == [])
        }
    }

    @Test func `a prompt that the user confirms late does not delete the next session's item`() async throws {
        try await ScriptedKeyring.with(Self.asking + ["prompt never"]) { keyring in
            let store = try keyring.store()
            try await store.removeItem(forKey: .session)
            try await leaveOpenPrompt(of: store, on: keyring)
            #expect(try await store.emptiedItemCount() == 1)
            try await store.setItem(item, forKey: .session)
            try await keyring.say("answer yes")
            #expect(try await store.item(forKey: .session) == item)
            #expect(try await store.emptiedItemCount() == 0)
            #expect(try await keyring.violations() == [])
        }
    }

    @Test func `the next item reuses the emptied entry after the user dismisses the prompt late`() async throws {
        try await ScriptedKeyring.with(Self.asking + ["prompt never"]) { keyring in
            let store = try keyring.store()
            try await store.removeItem(forKey: .session)
            try await leaveOpenPrompt(of: store, on: keyring)
            let changes = try await keyring.calls(of: "Set")
            try await keyring.say("answer dismissed")
            try await keyring.waitForCall(of: "Set", times: changes + 1)
            try await store.setItem(item, forKey: .session)
            #expect(try await keyring.calls(of: "CreateItem") == 0)
        }
    }

    @Test func `an entry with two prompts is not reused, because one of them may still be confirmed`() async throws {
        try await ScriptedKeyring.with(Self.asking + ["prompt never"]) { keyring in
            let (store, other) = try (keyring.store(), keyring.store())
            try await store.removeItem(forKey: .session)
            try await leaveOpenPrompt(of: store, on: keyring)
            try await keyring.say("prompt dismissed")
            try await other.deleteEmptiedItems(interaction: soon)
            #expect(try await store.emptiedItemCount() == 1)
            try await store.setItem(item, forKey: .session)
            #expect(try await keyring.calls(of: "CreateItem") == 1)
        }
    }

    @Test func `an open prompt to delete does not block a prompt to unlock`() async throws {
        try await ScriptedKeyring.with(Self.asking + ["prompt never"]) { keyring in
            let store = try keyring.store()
            try await store.removeItem(forKey: .session)
            try await leaveOpenPrompt(of: store, on: keyring)
            try await keyring.say("prompt yes")
            try await keyring.say("lock")
            #expect(try await store.item(forKey: .session, interaction: soon) == nil)
        }
    }

    @Test func `a wrapping store does not hold its lock while the keyring shows a prompt`() async throws {
        try await ScriptedKeyring.with(Self.asking + ["prompt never"]) { keyring in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            func store() throws -> PinnedStore {
                let migrating = try MigratingStore(
                    keyring.store(),
                    migrating: .session,
                    from: [],
                    locksIn: folder.url.path
                )
                let location = StoreLocation(StoreLocationName(trusted: "keyring"), migrating)
                return try PinnedStore(locations: [location], initially: location.name, notesIn: folder.url.path)
            }
            let (signedOut, next) = try (store(), store())
            try await signedOut.removeAll(interaction: soon)
            #expect(try await keyring.calls(of: "Prompt") == 0)
            let asking = Task { try await signedOut.deleteEmptiedItems(interaction: soon) }
            try await keyring.waitForCall(of: "Prompt")
            try await next.setItem(item, forKey: .session)
            #expect(try await next.item(forKey: .session) == item)
            try await keyring.say("answer yes")
            try await asking.value
            #expect(try await next.item(forKey: .session) == item)
        }
    }

    @Test func `a probe that may prompt does not ask the user to delete its own value`() async throws {
        try await ScriptedKeyring.with(["offer Delete"]) { keyring in
            let store = try keyring.store()
            for _ in 1...3 { try await store.probe(interaction: soon) }
            #expect(try await keyring.calls(of: "Prompt") == 0)
            #expect(try await store.emptiedItemCount() == 1)
        }
    }

    @Test func `a store works on a keyring that can't rename items, and keeps one entry for each key`() async throws {
        try await ScriptedKeyring.with(Self.withoutSet) { keyring in
            let store = try keyring.store()
            for _ in 1...3 { try await store.probe() }
            #expect(try await store.keys() == [.session])
            #expect(try await !store.removeItem(forKey: .session, ifEquals: SecretBytes(text: "other")))
            #expect(try await store.removeItem(forKey: .session, ifEquals: item))
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await store.keys() == [])
            #expect(try await store.removeItem(forKey: .session, ifEquals: item))
            // The items could not be marked as having an open prompt. Therefore no prompt is shown.
            try await store.deleteEmptiedItems(interaction: soon)
            #expect(try await keyring.calls(of: "Prompt") == 0)
            #expect(try await store.emptiedItemCount() == 2)
            #expect(try await !store.replaceItem(forKey: .session, ifEquals: item, with: item))
            let next = SecretBytes(text: "next")
            #expect(try await store.replaceItem(forKey: .session, ifEquals: nil, with: next))
            #expect(try await keyring.store().item(forKey: .session) == next)
            #expect(try await store.emptiedItemCount() == 1)
            #expect(try await keyring.calls(of: "CreateItem") == 1, "the probe's")
            #expect(try await keyring.violations() == [])
        }
    }

    @Test func `an emptied duplicate is not read as the item even if it was changed last`() async throws {
        try await ScriptedKeyring.with(Self.withoutSet + [ScriptedKeyring.item("newer")]) { keyring in
            let store = try keyring.store()
            for text in ["new", "next"] {
                try await store.setItem(SecretBytes(text: text), forKey: .session)
                for _ in 1...2 { #expect(try await store.item(forKey: .session) == SecretBytes(text: text)) }
                #expect(try await store.keys() == [.session])
            }
            // One call empties the duplicate, two write the item. An empty item is not written again.
            #expect(try await keyring.calls(of: "SetSecret") == 3)
            #expect(try await store.removeItem(forKey: .session, ifEquals: SecretBytes(text: "next")))
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await store.replaceItem(forKey: .session, ifEquals: nil, with: item))
            for _ in 1...2 { #expect(try await store.item(forKey: .session) == item) }
            #expect(try await keyring.calls(of: "CreateItem") == 0)
        }
    }

    /// Starts a prompt to delete, and leaves it open.
    private func leaveOpenPrompt(of store: KeyringStore, on keyring: ScriptedKeyring) async throws {
        let asking = Task { try await store.deleteEmptiedItems(interaction: soon) }
        try await keyring.waitForCall(of: "Prompt")
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
    }
}

extension KeePassXCTests {
    @Test func `KeePassXC deletes the entry if the user may be prompted`() async throws {
        try await PrivateKeePassXC.with(confirmingDeletion: false) { keyring in
            let store = try keyring.store()
            try await store.setItem(SecretBytes(text: "kept"), forKey: .session)
            try await store.removeItem(forKey: .session, interaction: .allowed(until: .now + .seconds(60)))
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await store.emptiedItemCount() == 1)
            try await store.deleteEmptiedItems(interaction: .allowed(until: .now + .seconds(60)))
            #expect(try await store.emptiedItemCount() == 0)
            for mark in ["sallyport-removed", "sallyport-deleting"] {
                let left = try await keyring.secretTool(["search", "--all", "application", mark])
                #expect(left.text.isEmpty)
            }
        }
    }

    @Test func `KeePassXC keeps the entry if the user does not respond, and the next item gets another one`()
        async throws
    {
        try await PrivateKeePassXC.with { keyring in
            let store = try keyring.store()
            for interaction in [InteractionPolicy.never, .allowed(until: .now + .seconds(60))] {
                try await store.setItem(SecretBytes(text: "kept"), forKey: .session)
                try await store.removeItem(forKey: .session, interaction: interaction)
                #expect(try await store.item(forKey: .session) == nil)
                #expect(try await store.emptiedItemCount() == 1)
            }
            try await store.deleteEmptiedItems(interaction: .allowed(until: .now + .seconds(1)))
            #expect(try await store.emptiedItemCount() == 1)
            try await store.setItem(SecretBytes(text: "next"), forKey: .session)
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "next"))
            #expect(try await store.emptiedItemCount() == 1)
        }
    }
}
#endif
