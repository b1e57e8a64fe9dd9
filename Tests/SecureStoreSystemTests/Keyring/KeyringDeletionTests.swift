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

    @Test func `a store works on a keyring that deletes nothing, and keeps one entry for each key`() async throws {
        try await ScriptedKeyring.with(Self.asking) { keyring in
            let store = try keyring.store()
            for _ in 1...3 { try await store.probe() }
            #expect(try await !store.replaceItem(forKey: .session, ifEquals: SecretBytes(text: "other"), with: nil))
            #expect(try await store.replaceItem(forKey: .session, ifEquals: item, with: nil))
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await store.replaceItem(forKey: .session, ifEquals: item, with: nil))
            #expect(try await keyring.calls(of: "Prompt") == 0)
            #expect(try await !store.replaceItem(forKey: .session, ifEquals: item, with: item))
            let next = SecretBytes(text: "next")
            #expect(try await store.replaceItem(forKey: .session, ifEquals: nil, with: next))
            #expect(try await keyring.store().item(forKey: .session) == next)
            #expect(try await keyring.calls(of: "CreateItem") == 1, "the probe's")
            #expect(try await keyring.violations() == [])
        }
    }

    @Test func `an emptied duplicate is not read as the item even if it was changed last`() async throws {
        try await ScriptedKeyring.with(Self.asking + [ScriptedKeyring.item("newer")]) { keyring in
            let store = try keyring.store()
            for text in ["new", "next"] {
                try await store.setItem(SecretBytes(text: text), forKey: .session)
                for _ in 1...2 { #expect(try await store.item(forKey: .session) == SecretBytes(text: text)) }
            }
            // One call empties the duplicate, two write the item. A marker is not written again.
            #expect(try await keyring.calls(of: "SetSecret") == 3)
            #expect(try await store.replaceItem(forKey: .session, ifEquals: SecretBytes(text: "next"), with: nil))
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await store.replaceItem(forKey: .session, ifEquals: nil, with: item))
            for _ in 1...2 { #expect(try await store.item(forKey: .session) == item) }
            #expect(try await keyring.calls(of: "CreateItem") == 0)
        }
    }
}

extension KeePassXCTests {
    @Test func `KeePassXC keeps the entry of a removed item without its secret, and the next item reuses it`()
        async throws
    {
        try await PrivateKeePassXC.with { keyring in
            let store = try keyring.store()
            for text in ["kept", "next"] {
                try await store.setItem(SecretBytes(text: text), forKey: .session)
                #expect(try await store.item(forKey: .session) == SecretBytes(text: text))
                try await store.removeItem(forKey: .session)
                #expect(try await store.item(forKey: .session) == nil)
                let left = try await keyring.secretTool(["lookup", "application", "sallyport", "key", "session"])
                #expect(left.text.hasPrefix("removed by Sallyport"))
                #expect(try await keyring.itemCount() == 1)
            }
        }
    }
}
#endif
