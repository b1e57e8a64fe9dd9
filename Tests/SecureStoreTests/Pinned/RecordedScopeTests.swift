// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Foundation
import TestSupport
import Testing

@testable import SecureStore

/// The list of a service's scopes.
@Suite struct RecordedScopeTests {
    private let secret = SecretBytes("a")

    /// Returns a store of another account, over a location of its own.
    private func store(_ account: String, _ service: StoreService, in fixture: PinnedFixture) throws -> PinnedStore {
        let scope = StoreScope(service: service, account: try StoreAccount(account))
        let location = StoreLocation(.keyring, MemoryStore(scope: scope))
        return try PinnedStore(locations: [location], initially: .keyring, notesIn: fixture.notes)
    }

    private func accounts(_ fixture: PinnedFixture) throws -> [String] {
        try PinnedStore.recordedScopes(of: fixture.scope, in: PrivateFolder(fixture.notes)).map(\.account.name)
    }

    private func namesPath(_ fixture: PinnedFixture) -> String {
        fixture.notes + "/" + NoteFile.name(of: fixture.scope, ending: ScopeNames.ending)
    }

    @Test func `names that can't be written or removed keep no item from being stored or removed`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try FileManager.default.createDirectory(atPath: namesPath(fixture), withIntermediateDirectories: true)
            try await store.setItem(secret, forKey: .token)
            let stored = try await store.item(forKey: .token)
            #expect(stored == secret)
            try await store.removeItem(forKey: .token)
            let left = try await store.item(forKey: .token)
            #expect(left == nil)
        }
    }

    @Test func `names of a later version stay`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(secret, forKey: .token)
            let newer = Data("sallyport-scope 2\nservice a\n".utf8)
            try newer.write(to: URL(fileURLWithPath: namesPath(fixture)))
            try await store.setItem(secret, forKey: .token)
            #expect(FileManager.default.contents(atPath: namesPath(fixture)) == newer)
        }
    }

    @Test func `the accounts of one service are listed in order, and no other service's`() async throws {
        try await PinnedFixture.with { fixture in
            for account in ["b", "B.1", "a"] {
                try await store(account, fixture.scope.service, in: fixture).setItem(secret, forKey: .token)
            }
            try await store("c", try StoreService("other"), in: fixture).setItem(secret, forKey: .token)
            #expect(try accounts(fixture) == ["B.1", "a", "b"])
        }
    }

    @Test func `a scope whose note can't be read is listed`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store().setItem(secret, forKey: .token)
            try Data("no note".utf8).write(to: URL(fileURLWithPath: fixture.notePath))
            #expect(try accounts(fixture) == [fixture.scope.account.name])
        }
    }

    @Test func `names that are missing or changed are written with the next item`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(secret, forKey: .token)
            let path = namesPath(fixture)
            let names = try #require(FileManager.default.contents(atPath: path))
            try FileManager.default.removeItem(atPath: path)
            #expect(try accounts(fixture).isEmpty)
            try await store.setItem(SecretBytes("b"), forKey: .token)
            #expect(FileManager.default.contents(atPath: path) == names)
            // The names of another scope would name a note that is not theirs.
            let text = "sallyport-scope 1\nservice \(fixture.scope.service)\naccount another\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            #expect(try accounts(fixture).isEmpty)
            try await store.setItem(secret, forKey: .token)
            #expect(FileManager.default.contents(atPath: path) == names)
        }
    }

    @Test func `names read back as they were written`() throws {
        let scope = StoreScope(service: try StoreService("com.example.app"), account: try StoreAccount("work_1"))
        let names = ScopeNames(scope)
        #expect(names.text == "sallyport-scope 1\nservice com.example.app\naccount work_1\n")
        #expect(try ScopeNames(Array(names.text.utf8)) == names)
        #expect(throws: SecureStoreError(.newerFormat)) { try ScopeNames(Array("sallyport-scope 2\n".utf8)) }
    }

    @Test(arguments: [
        "", "sallyport-scope 1\n", "sallyport-scope 1\nservice a\n", "sallyport-scope 1\nservice a\naccount b",
        "sallyport-scope 1\nservice a\naccount b\naccount c\n", "sallyport-scope 1\nservice a\naccount b/c\n",
        "sallyport-scope 1\naccount b\nservice a\n", "sallyport-scope 1\nservice  a\naccount b\n",
        "sallyport-scope 1\nservice a\naccount \u{1B}[2J\n",
    ])
    func `damaged names are rejected`(text: String) {
        #expect(throws: SecureStoreError(.damaged)) { try ScopeNames(Array(text.utf8)) }
    }
}
