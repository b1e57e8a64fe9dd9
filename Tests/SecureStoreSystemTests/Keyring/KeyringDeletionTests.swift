#if Keyring && canImport(Glibc)
import AuthCore
import SecureStore
import Testing
import TestSupport

/// Keyrings that answer every `Delete` with a prompt, as KeePassXC does.
@Suite(.needsScriptedKeyring) struct KeyringDeletionTests {
    private let item = SecretBytes(text: "kept")
    private static let asking = [ScriptedKeyring.item("kept"), "offer Delete"]
    private static let withoutSet = asking + ["error Set org.freedesktop.DBus.Error.UnknownMethod"]
    private var soon: InteractionPolicy { .allowed(until: .now + .seconds(60)) }

    @Test(arguments: [StoreOperation.remove, .removeExpected, .removeAll], [asking, withoutSet])
    func `if the user may be asked, the prompt is shown and nothing is left`(
        operation: StoreOperation,
        commands: [String]
    ) async throws {
        try await ScriptedKeyring.with(commands) { keyring in
            let store = try keyring.store()
            switch operation {
            case .remove: try await store.removeItem(forKey: .session, interaction: soon)
            case .removeAll: try await store.removeAll(interaction: soon)
            default: #expect(try await store.removeItem(forKey: .session, ifEquals: item, interaction: soon))
            }
            #expect(try await keyring.calls(of: "Prompt") == 1)
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await store.emptiedItemCount() == 0)
            #expect(try await keyring.violations() == [])
        }
    }

    @Test(arguments: ["dismissed", "never", "exit"])
    func `a user who does not agree, or does not answer, keeps an empty entry`(answer: String) async throws {
        try await ScriptedKeyring.with(Self.asking + ["prompt \(answer)"]) { keyring in
            let store = try keyring.store()
            let end = ContinuousClock.now + .seconds(answer == "never" ? 1 : 60)
            try await store.removeItem(forKey: .session, interaction: .allowed(until: end))
            // The service that died takes what it held with it.
            guard answer != "exit" else { return #expect(await keyring.hasDied()) }
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await store.emptiedItemCount() == 1)
            #expect(try await keyring.violations() == [])
        }
    }

    @Test func `a probe that may ask has nobody confirm that its own value is deleted`() async throws {
        try await ScriptedKeyring.with(["offer Delete"]) { keyring in
            let store = try keyring.store()
            for _ in 1...3 { try await store.probe(interaction: soon) }
            #expect(try await keyring.calls(of: "Prompt") == 0)
            #expect(try await store.emptiedItemCount() == 1)
        }
    }

    @Test func `a keyring that can't rename items needs no renaming, and keeps one entry a name`() async throws {
        try await ScriptedKeyring.with(Self.withoutSet) { keyring in
            let store = try keyring.store()
            for _ in 1...3 { try await store.probe() }
            #expect(try await store.keys() == [.session])
            #expect(try await !store.removeItem(forKey: .session, ifEquals: SecretBytes(text: "other")))
            #expect(try await store.removeItem(forKey: .session, ifEquals: item))
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await store.keys() == [])
            #expect(try await store.removeItem(forKey: .session, ifEquals: item))
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
}

extension KeePassXCTests {
    @Test func `if the user may be asked, KeePassXC deletes the entry`() async throws {
        try await PrivateKeePassXC.with(confirmingDeletion: false) { keyring in
            let store = try keyring.store()
            try await store.setItem(SecretBytes(text: "kept"), forKey: .session)
            try await store.removeItem(forKey: .session, interaction: .allowed(until: .now + .seconds(60)))
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await store.emptiedItemCount() == 0)
            let left = try await keyring.secretTool(["search", "--all", "application", "sallyport-removed"])
            #expect(left.text.isEmpty)
        }
    }

    @Test func `if the user may not be asked, or does not answer, KeePassXC keeps an empty entry`() async throws {
        try await PrivateKeePassXC.with { keyring in
            let store = try keyring.store()
            for interaction in [InteractionPolicy.never, .allowed(until: .now + .seconds(1))] {
                try await store.setItem(SecretBytes(text: "kept"), forKey: .session)
                try await store.removeItem(forKey: .session, interaction: interaction)
                #expect(try await store.item(forKey: .session) == nil)
                #expect(try await store.emptiedItemCount() == 1)
            }
        }
    }
}
#endif
