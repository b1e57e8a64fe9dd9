// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Foundation
import SecureStore
import Testing

@testable import SessionStores

/// The record of where a session is kept, which several processes of one user share.
@Suite struct RecordedStoreTests {
    private let old = SecretBytes("old".utf8)
    private let new = SecretBytes("new".utf8)
    private let session: StoreKey

    init() throws {
        session = try StoreKey("session")
    }

    private struct Fixture {
        let scope: StoreScope
        let keyring: FaultyStore
        let file: FaultyStore

        static func with(_ body: (Fixture) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: attributes
            )
            defer { try? FileManager.default.removeItem(at: folder) }
            try await body(Fixture(SharedFolder(folder.path)))
        }

        init(_ folder: SharedFolder, account: String = "default") throws {
            scope = try StoreScope(service: "com.example.app", account: account, sharedFolder: folder)
            (keyring, file) = (FaultyStore(scope: scope), FaultyStore(scope: scope))
        }

        /// Creates a store as a separate process would.
        func inKeyring() throws -> RecordedStore {
            try RecordedStore(("keyring", removals(keyring, "keyring")), others: [("file", removals(file, "file"))])
        }

        func inFile() throws -> RecordedStore {
            try RecordedStore(("file", removals(file, "file")), others: [("keyring", removals(keyring, "keyring"))])
        }

        private func removals(_ store: FaultyStore, _ name: String) -> PendingRemovals {
            PendingRemovals(store, named: name)
        }

        var recorded: String? { get throws { try StoreRecord(of: scope).read() } }
    }

    /// The home folder there may be an empty one at each start.
    @Test func `a record in a Flatpak that names no folder for it is beside the data`() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("XDG_DATA_HOME", "/app/data", 1)
            unsafe unsetenv("XDG_STATE_HOME")
            let folder = try StoreRecord.folder(of: StoreScope(service: "com.example.app"), isInFlatpak: true)
            #expect(folder == "/app/.local/state/sallyport/profiles/com.example.app")
        }
    }

    /// A record that can't be read is no sign-out.
    @Test func `records that can't be read are an error that names them, and not absent`() async throws {
        try await Fixture.with { fixture in
            let folder = "\(fixture.scope.sharedFolder?.path ?? "")/sallyport/profiles"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(try fixture.recorded == nil)
            #expect(try StoreRecord.scopes(of: "com.example.app", in: fixture.scope.sharedFolder).isEmpty)
            try Data().write(to: URL(filePath: "\(folder)/com.example.app"))
            let error = #expect(throws: SecureStoreError(.denied)) { try fixture.recorded }
            #expect(error?.detail == "\(folder)/com.example.app/default.store can't be read")
            #expect(throws: SecureStoreError(.denied)) {
                try StoreRecord.scopes(of: "com.example.app", in: fixture.scope.sharedFolder)
            }
        }
    }

    @Test func `the first write of a session is recorded, and neither a read nor another item is`() async throws {
        try await Fixture.with { fixture in
            let store = try fixture.inFile()
            #expect(try await store.item(forKey: session) == nil)
            try await store.setItem(old, forKey: StoreKey("probe-1"))
            #expect(try fixture.recorded == nil)
            try await store.setItem(old, forKey: session)
            #expect(try fixture.recorded == "file")
            #expect(try await !store.replaceItem(forKey: session, ifEquals: new, with: new))
            #expect(try fixture.recorded == "file")
        }
    }

    @Test(arguments: ["program", "client"]) func `an item of a program is recorded as a session is`(name: String)
        async throws
    {
        try await Fixture.with { fixture in
            let (store, key) = (try fixture.inFile(), try StoreKey(name))
            try await store.setItem(old, forKey: key)
            #expect(try fixture.recorded == "file")
            try await store.forgetIfEmpty()
            #expect(try fixture.recorded == "file")
            try await store.removeItem(forKey: key)
            try await store.forgetIfEmpty()
            #expect(try fixture.recorded == nil)
        }
    }

    @Test func `a failed first write is not recorded`() async throws {
        try await Fixture.with { fixture in
            fixture.keyring.lock()
            let store = try fixture.inKeyring()
            await #expect(throws: SecureStoreError(.locked)) { try await store.setItem(old, forKey: session) }
            #expect(try fixture.recorded == nil)
            #expect(try await !fixture.inFile().replaceItem(forKey: session, ifEquals: old, with: new))
            #expect(try fixture.recorded == nil)
        }
    }

    @Test func `a first write that times out is recorded, because it may have succeeded`() async throws {
        try await Fixture.with { fixture in
            fixture.keyring.failAll(with: SecureStoreError(.timedOut))
            let store = try fixture.inKeyring()
            await #expect(throws: SecureStoreError(.timedOut)) { try await store.setItem(old, forKey: session) }
            #expect(try fixture.recorded == "keyring")
        }
    }

    @Test func `a session is not written beside one in another store`() async throws {
        try await Fixture.with { fixture in
            try await fixture.inKeyring().setItem(old, forKey: session)
            let store = try fixture.inFile()
            await #expect(throws: SecureStoreError(.busy)) { try await store.setItem(new, forKey: session) }
            #expect(try await fixture.file.item(forKey: session) == nil)
        }
    }

    @Test func `the store is forgotten after a sign-out, unless another session began meanwhile`() async throws {
        try await Fixture.with { fixture in
            let store = try fixture.inKeyring()
            try await store.setItem(old, forKey: session)
            try await store.removeItem(forKey: session)
            // Another process writes before this one forgets the store.
            try await fixture.inKeyring().setItem(new, forKey: session)
            try await store.forgetIfEmpty()
            #expect(try fixture.recorded == "keyring")
            try await store.removeItem(forKey: session)
            // Tokens that are still to be revoked keep it too.
            let ended = try StoreKey("session.ended")
            try await store.setItem(old, forKey: ended)
            try await store.forgetIfEmpty()
            #expect(try fixture.recorded == "keyring")
            try await store.removeItem(forKey: ended)
            try await store.forgetIfEmpty()
            #expect(try fixture.recorded == nil)
        }
    }

    @Test(arguments: ["keyring", "file"])
    func `a session in another store finishes the pending removal, which does not remove it`(
        first: String
    ) async throws {
        try await Fixture.with { fixture in
            let isInKeyring = first == "keyring"
            let earlier = isInKeyring ? fixture.keyring : fixture.file
            let signedOut = try isInKeyring ? fixture.inKeyring() : fixture.inFile()
            try await signedOut.setItem(old, forKey: session)
            earlier.lock()
            try await signedOut.removeItem(forKey: session)
            #expect(try signedOut.isPending)
            try await signedOut.forget()
            let store = try isInKeyring ? fixture.inFile() : fixture.inKeyring()
            try await store.setItem(new, forKey: session)
            #expect(try store.pending == [first])
            #expect(try !store.isPending)
            earlier.unlock()
            try await store.setItem(new, forKey: session)
            #expect(try await earlier.item(forKey: session) == nil)
            #expect(try await store.item(forKey: session) == new)
            #expect(store.finished == [first])
            #expect(try store.pending == [])
        }
    }

    @Test func `the accounts of one service are listed in order, and one whose record is empty`() async throws {
        try await Fixture.with { fixture in
            let folder = try #require(fixture.scope.sharedFolder)
            for name in ["b", "B.1", "a"] {
                try await Fixture(folder, account: name).inKeyring().setItem(old, forKey: session)
            }
            let file = "\(folder.path)/sallyport/profiles/com.example.app/c.store"
            try Data().write(to: URL(fileURLWithPath: file))
            let scopes = try StoreRecord.scopes(of: fixture.scope.service, in: folder)
            #expect(scopes.map(\.account) == ["B.1", "a", "b", "c"])
            #expect(try StoreRecord.scopes(of: "other", in: folder).isEmpty)
            #expect(try StoreRecord(of: scopes[3]).read() == "")
        }
    }
}
