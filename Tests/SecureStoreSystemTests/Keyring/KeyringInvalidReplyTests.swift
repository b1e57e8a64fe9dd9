// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import SecureStore
import Testing
import TestSupport

/// Replies that violate the Secret Service API: they never count as a value, and never as "absent".
@Suite(.needsScriptedKeyring) struct KeyringInvalidReplyTests {
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
    func `a read fails if a reply has a wrong type`(reply: String) async throws {
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
    func `a reply of a wrong type is not taken for an absent item`(reply: String) async throws {
        try await ScriptedKeyring.with(["reply \(reply)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.item(forKey: .session) }
        }
    }

    @Test(arguments: [
        "GetAll a{ss} ({'Attributes':'x'},)", "GetAll a{sv} ({},)", "GetAll a{sv} ({'Attributes':('s','x')},)",
    ])
    func `a call fails if items do not report their attributes`(reply: String) async throws {
        try await ScriptedKeyring.with(Self.present + Self.present + ["reply \(reply)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.item(forKey: .session) }
            await #expect(throws: SecureStoreError(.failed)) { try await store.setItem(item, forKey: .session) }
        }
    }

    @Test(arguments: ["CreateItem oos ('/','/','more')", "CreateItem s ('done',)", "CreateItem () ()"])
    func `a write fails if the reply to CreateItem has a wrong type`(reply: String) async throws {
        try await ScriptedKeyring.with(["reply \(reply)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.setItem(item, forKey: .session) }
        }
    }

    @Test(arguments: [
        ("SetSecret s ('done',)", StoreOperation.write), ("Delete () ()", .remove), ("Delete s ('/',)", .remove),
    ])
    func `a change fails if its reply has a wrong type`(reply: String, operation: StoreOperation) async throws {
        try await ScriptedKeyring.with(Self.present + ["reply \(reply)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await operation.run(on: store, expecting: item) }
        }
    }

    @Test func `a write fails if CreateItem returns no item`() async throws {
        try await ScriptedKeyring.with(["reply CreateItem oo ('/','/')"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.setItem(item, forKey: .session) }
        }
    }

    @Test(arguments: [
        "SearchItems aoao (['/org/freedesktop/secrets/nowhere'],[])",
        "SearchItems aoao (['/org/freedesktop/secrets/collection/login'],[])",
    ])
    func `a read fails if the search returns a path that is not an item`(reply: String) async throws {
        try await ScriptedKeyring.with(Self.present + ["reply \(reply)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.item(forKey: .session) }
        }
    }
}
#endif
