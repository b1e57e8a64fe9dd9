// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import SecureStore
import Testing
import TestSupport

/// Errors that no real provider reports on demand.
@Suite(.needsScriptedKeyring) struct KeyringRefusalTests {
    private let item = SecretBytes(text: "kept")
    private static let present = [ScriptedKeyring.item("kept")]
    /// Two equal items, as left by a writer that has seen neither, for the calls that delete the older one.
    private static let twice = present + present

    @Test func `a store works with the scripted keyring`() async throws {
        try await ScriptedKeyring.with { keyring in
            let store = try keyring.store()
            #expect(try await store.item(forKey: .session) == nil)
            try await store.setItem(item, forKey: .session)
            #expect(try await keyring.store().item(forKey: .session) == item)
            #expect(try await store.replaceItem(forKey: .session, ifEquals: item, with: SecretBytes(text: "next")))
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "next"))
            try await store.removeItem(forKey: .session)
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await keyring.violations() == [])
        }
    }

    // MARK: Errors

    @Test(arguments: StoreOperation.allCases)
    func `every call throws denied if the keyring refuses this program`(operation: StoreOperation) async throws {
        let denied = "org.freedesktop.DBus.Error.AccessDenied"
        let methods = ["OpenSession", "SearchItems", "GetSecret", "SetSecret", "Delete"]
        for method in methods where StoreMethods.existing[operation]?.contains(method) == true {
            try await ScriptedKeyring.with(Self.twice + ["error \(method) \(denied)"]) { keyring in
                let store = try keyring.store()
                await #expect(throws: SecureStoreError(.denied)) { try await operation.run(on: store, expecting: item) }
                // The secrets of both items are requested at once.
                #expect(try await keyring.calls(of: method) == (method == "GetSecret" ? 2 : 1))
            }
        }
    }

    @Test(arguments: StoreOperation.allCases)
    func `every call throws locked if the item is locked, even if its keyring is not`(
        operation: StoreOperation
    ) async throws {
        for method in ["GetSecret", "SetSecret", "Delete"]
        where StoreMethods.existing[operation]?.contains(method) == true {
            try await ScriptedKeyring.with(Self.twice + ["error \(method) IsLocked"]) { keyring in
                let store = try keyring.store()
                await #expect(throws: SecureStoreError(.locked)) { try await operation.run(on: store, expecting: item) }
            }
        }
    }

    @Test(arguments: ["GetSecret", "SetSecret"])
    func `a call reopens a session that the keyring has forgotten, once, and succeeds`(method: String) async throws {
        try await ScriptedKeyring.with(Self.present) { keyring in
            let store = try keyring.store()
            #expect(try await store.item(forKey: .session) == item)
            try await keyring.say("forget-sessions")
            if method == "GetSecret" {
                #expect(try await store.item(forKey: .session) == item)
            } else {
                try await store.setItem(SecretBytes(text: "after"), forKey: .session)
                #expect(try await keyring.store().item(forKey: .session) == SecretBytes(text: "after"))
            }
            let opened = try await keyring.calls(of: "OpenSession")
            #expect(opened == (method == "GetSecret" ? 2 : 3), "one of them is another store's")
        }
    }

    @Test func `a read fails after one more attempt if the keyring never accepts its sessions`() async throws {
        try await ScriptedKeyring.with(Self.present + ["error GetSecret NoSession"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.item(forKey: .session) }
            #expect(try await keyring.calls(of: "GetSecret") == 2)
            #expect(try await keyring.calls(of: "OpenSession") == 2)
        }
    }

    @Test(arguments: ["no-default", "no-default cold"])
    func `every call throws noCollection if the service has no default collection`(commands: String) async throws {
        try await ScriptedKeyring.with(commands.split(separator: " ").map(String.init)) { keyring in
            let store = try keyring.store()
            for operation in [StoreOperation.read, .write] {
                await #expect(throws: SecureStoreError(.noCollection), "\(operation)") {
                    try await operation.run(on: store, expecting: item)
                }
            }
        }
    }

    @Test(arguments: ["prompt yes", "prompt early"])
    func `a write succeeds if an unlocked keyring prompts before it creates the item`(answer: String) async throws {
        try await ScriptedKeyring.with(["offer CreateItem", answer]) { keyring in
            let store = try keyring.store()
            try await store.setItem(item, forKey: .session)
            #expect(try await keyring.calls(of: "Prompt") == 1)
            #expect(try await keyring.calls(of: "Unlock") == 0)
            #expect(try await store.item(forKey: .session) == item)
            #expect(try await keyring.violations() == [])
        }
    }

    @Test(arguments: [
        ("dismissed", SecureStoreError.Code.promptDismissed), ("never", .timedOut), ("exit", .noProvider),
    ])
    func `a write fails if the prompt to create its item is dismissed, times out or ends with its provider`(
        answer: String,
        code: SecureStoreError.Code
    ) async throws {
        try await ScriptedKeyring.with(["offer CreateItem", "prompt \(answer)"]) { keyring in
            let store = try keyring.store(deadline: answer == "never" ? .seconds(2) : .seconds(60))
            await #expect(throws: SecureStoreError(code)) { try await store.setItem(item, forKey: .session) }
            if answer != "exit" { #expect(try await keyring.violations() == []) }
        }
    }

    @Test(arguments: [StoreOperation.remove, .removeExpected])
    func `a removal empties the item without a prompt if the keyring would prompt to delete it`(
        operation: StoreOperation
    ) async throws {
        try await ScriptedKeyring.with(Self.present + ["offer Delete"]) { keyring in
            let store = try keyring.store()
            try await operation.run(on: store, expecting: item)
            #expect(try await store.item(forKey: .session) == nil)
            // The emptied item is reused, so that such items don't accumulate.
            for text in ["second", "third"] {
                try await store.setItem(SecretBytes(text: text), forKey: .session)
                #expect(try await store.item(forKey: .session) == SecretBytes(text: text))
                try await store.removeItem(forKey: .session)
                #expect(try await store.item(forKey: .session) == nil)
            }
            #expect(try await keyring.calls(of: "CreateItem") == 0)
            #expect(try await keyring.calls(of: "Prompt") == 0)
            #expect(try await keyring.violations() == [])
        }
    }

    @Test func `the next probe removes a killed probe's leftover`() async throws {
        let left = ScriptedKeyring.item("left").replacing("key=session", with: "key=~probe")
        try await ScriptedKeyring.with(Self.present + [left]) { keyring in
            let store = try keyring.store()
            try await store.probe()
            #expect(try await keyring.calls(of: "CreateItem") == 0)
            #expect(try await keyring.calls(of: "Delete") == 1)
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `a removal throws locked if the keyring locks and its items disappear meanwhile`() async throws {
        try await ScriptedKeyring.with(Self.present + ["hold Delete"]) { keyring in
            let store = try keyring.store()
            let removal = Task { try await store.removeItem(forKey: .session) }
            try await keyring.waitForCall(of: "Delete")
            // KeePassXC does this: its items leave the bus when it locks.
            try await keyring.say("cold")
            try await keyring.say("error Delete NoSuchObject")
            try await keyring.say("release")
            await #expect(throws: SecureStoreError(.locked)) { try await removal.value }
        }
    }

    @Test(arguments: StoreOperation.allCases)
    func `a call other than a write throws locked if a locked keyring may have a newer item`(
        operation: StoreOperation
    ) async throws {
        let elsewhere = "'/org/freedesktop/secrets/collection/other/1'"
        let found = "reply SearchItems aoao (['/org/freedesktop/secrets/collection/login/1'],[\(elsewhere)])"
        try await ScriptedKeyring.with(Self.present + [found]) { keyring in
            let store = try keyring.store()
            // A write replaces the reachable item. The new value is newer than any other.
            guard operation != .write else { return try await operation.run(on: store, expecting: item) }
            await #expect(throws: SecureStoreError(.locked)) { try await operation.run(on: store, expecting: item) }
        }
    }

    @Test func `a call other than a write throws locked for an item locked by itself, and does not unlock it`()
        async throws
    {
        try await ScriptedKeyring.with(Self.present + ["lock-items"]) { keyring in
            let store = try keyring.store()
            for operation in StoreOperation.allCases where operation != .write {
                await #expect(throws: SecureStoreError(.locked), "\(operation)") {
                    try await operation.run(on: store, expecting: item)
                }
            }
            #expect(try await keyring.calls(of: "Unlock") == 0)
            #expect(try await keyring.calls(of: "Prompt") == 0)
            try await keyring.say("unlock")
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test(arguments: StoreOperation.allCases)
    func `every call throws locked if another locked keyring has the item, and creates no second one`(
        operation: StoreOperation
    ) async throws {
        let found = "reply SearchItems aoao ([],['/org/freedesktop/secrets/collection/other/1'])"
        try await ScriptedKeyring.with([found]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.locked)) { try await operation.run(on: store, expecting: item) }
            #expect(try await keyring.calls(of: "CreateItem") == 0)
        }
    }

    @Test(arguments: ["AccessDenied", "NoReply"])
    func `a write succeeds if only an older duplicate can't be removed`(error: String) async throws {
        let refused = "error Delete org.freedesktop.DBus.Error.\(error)"
        try await ScriptedKeyring.with(Self.twice + [refused]) { keyring in
            let store = try keyring.store()
            let (new, newer) = (SecretBytes(text: "new"), SecretBytes(text: "newer"))
            try await store.setItem(new, forKey: .session)
            #expect(try await store.item(forKey: .session) == new)
            #expect(try await store.replaceItem(forKey: .session, ifEquals: new, with: newer))
            #expect(try await store.item(forKey: .session) == newer)
        }
    }

    // MARK: Items that vanish

    @Test(arguments: ["Attributes", "GetSecret"])
    func `a read returns an item that another process replaces between search and read`(method: String) async throws {
        try await ScriptedKeyring.with(Self.present + ["move \(method)"]) { keyring in
            let store = try keyring.store()
            #expect(try await store.item(forKey: .session) == item)
            #expect(try await keyring.calls(of: "SearchItems") == 2)
        }
    }

    @Test(arguments: ["Attributes", "GetSecret"])
    func `an item reads as absent if another process removes it between search and read`(method: String) async throws {
        try await ScriptedKeyring.with(Self.present + ["vanish \(method)"]) { keyring in
            let store = try keyring.store()
            #expect(try await store.item(forKey: .session) == nil)
            #expect(try await keyring.calls(of: "Locked") > 0, "absence is proved")
        }
    }

    @Test func `a write creates the item again if it is removed before the write`() async throws {
        try await ScriptedKeyring.with(Self.present + ["vanish SetSecret"]) { keyring in
            let store = try keyring.store()
            try await store.setItem(SecretBytes(text: "new"), forKey: .session)
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "new"))
        }
    }

    @Test func `a conditional write compares again if another process replaces the item before the write`()
        async throws
    {
        try await ScriptedKeyring.with(Self.present + ["move SetSecret"]) { keyring in
            let store = try keyring.store()
            #expect(try await store.replaceItem(forKey: .session, ifEquals: item, with: SecretBytes(text: "new")))
            #expect(try await keyring.calls(of: "GetSecret") == 2)
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "new"))
        }
    }

    @Test func `a removal succeeds if the item vanishes before it`() async throws {
        try await ScriptedKeyring.with(Self.present + ["vanish Delete"]) { keyring in
            let store = try keyring.store()
            try await store.removeItem(forKey: .session)
            #expect(try await store.item(forKey: .session) == nil)
        }
    }

    @Test func `a read fails if the item vanishes at every attempt, and does not report it as absent`() async throws {
        try await ScriptedKeyring.with(Self.present + ["error GetSecret NoSuchObject"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.failed)) { try await store.item(forKey: .session) }
            #expect(try await keyring.calls(of: "GetSecret") == 3)
        }
    }

    @Test func `a read returns the newest of two items with the same attributes`() async throws {
        try await ScriptedKeyring.with([ScriptedKeyring.item("older"), ScriptedKeyring.item("newer")]) { keyring in
            let store = try keyring.store()
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "newer"))
        }
    }
}
#endif
