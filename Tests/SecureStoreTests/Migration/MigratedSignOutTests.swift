// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

@testable import SecureStore

/// A sign-out is final, even if an older location still has a token.
@Suite struct MigratedSignOutTests {
    private let old = SecretBytes("old")
    private let new = SecretBytes("new")

    @Test func `a removal deletes the legacy items too, migrated or not`() async throws {
        for isMigrated in [false, true] {
            try await MigrationFixture.with { fixture in
                if isMigrated { try await fixture.target.setItem(new, forKey: .token) }
                try await fixture.older.setItem(old, forKey: .token)
                try await fixture.store().removeItem(forKey: .token)
                #expect(try await fixture.store().itemAfterSearch() == nil)
                #expect(try await fixture.found == [nil, nil, nil])
                #expect(try await fixture.names == [])
            }
        }
    }

    @Test func `a conditional removal compares with the value that a read would return`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            #expect(try await !fixture.store().replaceItem(forKey: .token, ifEquals: new, with: nil))
            #expect(try await fixture.store().itemAfterSearch() == old)
            try await fixture.oldest.setItem(new, forKey: .token)
            #expect(try await fixture.store().replaceItem(forKey: .token, ifEquals: old, with: nil))
            #expect(try await fixture.store().replaceItem(forKey: .token, ifEquals: old, with: nil))
            #expect(try await fixture.found == [nil, nil, nil])
        }
    }

    @Test(arguments: [SecureStoreError.Code.locked, .damaged, .noProvider])
    func `a legacy item that can't be removed does not come back`(code: SecureStoreError.Code) async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.target.setItem(new, forKey: .token)
            try await fixture.older.setItem(old, forKey: .token)
            fixture.older.failAll(with: SecureStoreError(code))
            try await fixture.store().removeItem(forKey: .token)
            #expect(try await fixture.store().itemAfterSearch() == nil)
            fixture.older.failAll(with: nil)
            #expect(try await fixture.store().itemAfterSearch() == nil)
            #expect(try await fixture.found == [nil, nil, nil])
            #expect(try await fixture.names == [])
        }
    }

    @Test func `a legacy item is removed even if its copies can't be`() async throws {
        try await MigrationFixture.with { fixture in
            let settings = fixture.folder.url.appendingPathComponent("settings.json")
            try Data(#"{"authToken":"old","theme":"dark"}"#.utf8).write(to: settings)
            let draft = settings.appendingPathExtension("\(RandomName.make()).draft")
            let old: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -120)]
            try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: false, attributes: old)
            try FileManager.default.setAttributes(old, ofItemAtPath: draft.path)
            let store = try MigratingStore(
                fixture.target,
                migrating: .token,
                from: [.init(.settings(path: settings.path))],
                locksIn: fixture.locks
            )
            try await store.removeItem(forKey: .token)
            #expect(String(decoding: try Data(contentsOf: settings), as: UTF8.self) == #"{"theme":"dark"}"#)
            #expect(try await store.itemAfterSearch() == nil)
            // The copies are removed as soon as that is possible.
            try FileManager.default.removeItem(at: draft)
            try Data("{".utf8).write(to: draft)
            try FileManager.default.setAttributes(old, ofItemAtPath: draft.path)
            #expect(try await store.itemAfterSearch() == nil)
            #expect(!FileManager.default.fileExists(atPath: draft.path))
            #expect(try await fixture.names == [])
        }
    }

    @Test func `a new sign-in survives a pending removal`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            fixture.older.lock()
            try await fixture.store().removeItem(forKey: .token)
            #expect(try await fixture.store().replaceItem(forKey: .token, ifEquals: nil, with: new))
            fixture.older.unlock()
            #expect(try await fixture.store().itemAfterSearch() == new)
            #expect(try await fixture.found == [new, nil, nil])
            #expect(try await fixture.names == ["token"])
        }
    }

    @Test func `a removal from a locked target throws an error, and the session stays`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.target.setItem(new, forKey: .token)
            fixture.target.lock()
            let store = try fixture.store()
            await #expect(throws: SecureStoreError(.locked)) { try await store.removeItem(forKey: .token) }
            fixture.target.unlock()
            #expect(try await store.itemAfterSearch() == new)
        }
    }

    @Test func `a removal killed at any step leaves the session or nothing, never a legacy item`() async throws {
        for isReachable in [true, false] {
            let steps = try await KillSwitch.atEachStep { kill in
                try await MigrationFixture.with { fixture in
                    try await fixture.target.setItem(new, forKey: .token)
                    try await fixture.older.setItem(old, forKey: .token)
                    try await fixture.oldest.setItem(old, forKey: .token)
                    if !isReachable { fixture.older.lock() }
                    try await killed { try await fixture.store(kill: kill).removeItem(forKey: .token) }
                    fixture.older.unlock()
                    let present = try await fixture.target.item(forKey: .token)
                    #expect(try await fixture.store().itemAfterSearch() == present)
                    try await fixture.store().removeItem(forKey: .token)
                    #expect(try await fixture.store().itemAfterSearch() == nil)
                    #expect(try await fixture.found == [nil, nil, nil])
                    #expect(try await fixture.names == [])
                }
            }
            // Each older place, the mark, and the item.
            #expect(steps == 4)
        }
    }

    @Test func `a sign-out that is recorded takes effect even while the keyring is locked`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            func pending() throws -> PendingRemovals {
                PendingRemovals(try fixture.store(), notesIn: fixture.locks)
            }
            // Both are in one keyring.
            for store in [fixture.target, fixture.older] { store.lock() }
            try await pending().removeItem(forKey: .token)
            #expect(try await pending().item(forKey: .token) == nil)
            for store in [fixture.target, fixture.older] { store.unlock() }
            #expect(try await pending().item(forKey: .token) == nil)
            #expect(try await fixture.found == [nil, nil, nil])
            try await pending().setItem(new, forKey: .token)
            #expect(try await pending().item(forKey: .token) == new)
        }
    }

    @Test func `concurrent sign-outs and reads never restore the legacy item`() async throws {
        try await MigrationFixture.with { fixture in
            for _ in 0..<20 {
                try await fixture.older.setItem(old, forKey: .token)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 { group.addTask { _ = try await fixture.store().itemAfterSearch() } }
                    group.addTask { try await fixture.store().removeItem(forKey: .token) }
                    try await group.waitForAll()
                }
                #expect(try await fixture.found == [nil, nil, nil])
            }
        }
    }
}
#endif
