#if Keyring && canImport(Glibc)
import AuthCore
import SecureStore
import Testing
import TestSupport

/// Replies that violate the Secret Service API: they never count as a value, and never as "absent".
@Suite(.needsScriptedKeyring) struct KeyringNonsenseTests {
    private let item = SecretBytes(text: "kept")
    private static let present = [ScriptedKeyring.item("kept")]

    @Test(arguments: [
        "OpenSession s ('nonsense',)",
        "OpenSession vos (('s',''),'/session','more')",
        "SearchItems () ()",
        "SearchItems aoaoao ([],[],[])",
        "SearchItems ao ([],)",
        "SearchItems asas ([],[])",
        "SearchItems aoas ([],[])",
        "Attributes a{ss} ({'application':'sallyport'},)",
        "Attributes v (('s','x'),)",
        "Attributes v (('a{sv}',{}),)",
        "Attributes () ()",
        "GetSecret () ()",
        "GetSecret s ('nonsense',)",
        "GetSecret ay (b'nonsense',)",
        "GetSecret (oays) (('/s',b'nonsense','text/plain'),)",
        "GetSecret (oayss) (('/s',b'','nonsense','text/plain'),)",
        "GetSecret (oayays)s (('/s',b'',b'nonsense','text/plain'),'more')",
    ])
    func `a reply of another type is a failure`(reply: String) async throws {
        try await ScriptedKeyring.with(Self.present + ["reply \(reply)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.item(forKey: .session) }
        }
    }

    @Test(arguments: [
        "ReadAlias s ('/org/freedesktop/secrets/collection/login',)",
        "ReadAlias () ()",
        "Collections v (('as',[]),)",
        "Collections ao ([],)",
        "Collections v (('o','/'),)",
        "Locked v (('s','false'),)",
        "Locked v (('u',0),)",
        "Locked b (False,)",
    ])
    func `a reply of another type proves no absence`(reply: String) async throws {
        try await ScriptedKeyring.with(["reply \(reply)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.item(forKey: .session) }
            await #expect(throws: SecureStoreError(.failed)) { try await store.keys() }
        }
    }

    @Test(arguments: [
        "GetAll a{ss} ({'Attributes':'x'},)", "GetAll a{sv} ({},)", "GetAll a{sv} ({'Attributes':('s','x')},)",
    ])
    func `items that do not say what they are are a failure`(reply: String) async throws {
        try await ScriptedKeyring.with(Self.present + Self.present + ["reply \(reply)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.item(forKey: .session) }
            await #expect(throws: SecureStoreError(.failed)) { try await store.keys() }
            await #expect(throws: SecureStoreError(.failed)) { try await store.setItem(item, forKey: .session) }
        }
    }

    @Test(arguments: ["CreateItem oos ('/','/','more')", "CreateItem s ('done',)", "CreateItem () ()"])
    func `a reply of another type to a new item is no success`(reply: String) async throws {
        try await ScriptedKeyring.with(["reply \(reply)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.setItem(item, forKey: .session) }
        }
    }

    @Test(arguments: [
        ("SetSecret s ('done',)", StoreOperation.write), ("Delete () ()", .remove), ("Delete s ('/',)", .remove),
    ])
    func `a reply of another type to a change is no success`(reply: String, operation: StoreOperation) async throws {
        try await ScriptedKeyring.with(Self.present + ["reply \(reply)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await operation.run(on: store, expecting: item) }
        }
    }

    @Test func `a new item that is none is no success`() async throws {
        try await ScriptedKeyring.with(["reply CreateItem oo ('/','/')"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.setItem(item, forKey: .session) }
        }
    }

    @Test(arguments: [
        "SearchItems aoao (['/org/freedesktop/secrets/nowhere'],[])",
        "SearchItems aoao (['/org/freedesktop/secrets/collection/login'],[])",
    ])
    func `a search that finds what is no item is never an absent item`(reply: String) async throws {
        try await ScriptedKeyring.with(Self.present + ["reply \(reply)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.item(forKey: .session) }
        }
    }
}
#endif
