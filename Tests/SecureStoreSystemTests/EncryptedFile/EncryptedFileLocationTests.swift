// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Glibc
import Testing
import TestSupport

@testable import SecureStore

/// The file's location and its permissions.
@Suite struct EncryptedFileLocationTests {
    private let key: StoreKey
    private let item = SecretBytes("an item that nobody must see".utf8)

    init() throws {
        key = try StoreKey("session")
    }

    @Test func `the file and its lock have mode 0600, and their names do not contain the service`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store().setItem(item, forKey: key)
            let names = try fixture.names()
            #expect(names.map { $0.split(separator: ".").last ?? "" } == ["lock", "sallyport"])
            for name in names {
                #expect(!name.contains("example"))
                let path = fixture.folder.url.appendingPathComponent(name).path
                #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test func `the folder contains no item, name or passphrase in plaintext`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let scope = try StoreScope(service: EncryptedFileFixture.service, account: "name-of-a-profile")
            try await fixture.store(scope: scope).setItem(item, forKey: try StoreKey("name-of-an-item"))
            let (names, passphrase) = (try fixture.names(), EncryptedFileFixture.passphrase)
            #expect(names.count == 2)
            for text in ["nobody must see", "name-of-an-item", passphrase, "com.example", "name-of-a-profile"] {
                #expect(fixture.folder.files(containing: Data(text.utf8)).isEmpty)
                #expect(!names.contains { $0.contains(text) })
            }
        }
    }

    @Test func `two writes of one item share neither nonce nor ciphertext`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(item, forKey: key)
            let first = try fixture.bytes()
            try await store.setItem(item, forKey: key)
            let second = try fixture.bytes()
            #expect(first.count == second.count)
            #expect(first.suffix(item.count) != second.suffix(item.count))
            #expect(first[FileHeader.size...].prefix(12) != second[FileHeader.size...].prefix(12))
            #expect(first.prefix(FileHeader.size) == second.prefix(FileHeader.size))
        }
    }

    @Test func `missing folders are created with mode 0700`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let path = fixture.path + "/one/two"
            let key = try EncryptedFileFixture.newKey()
            let store = EncryptedFileStore(scope: fixture.scope, folder: path, key: key)
            try await store.setItem(item, forKey: self.key)
            for folder in [path, fixture.path + "/one"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder)
                #expect(attributes[.posixPermissions] as? Int == 0o700)
            }
        }
    }

    @Test(arguments: [0o777, 0o770, 0o755, 0o701])
    func `a folder open to others is refused`(mode: Int) async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store().setItem(item, forKey: key)
            let path = fixture.path
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            try await expectDenied(fixture)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            #expect(try await fixture.store().item(forKey: key) == item)
        }
    }

    @Test func `a symbolic link instead of the file is refused, and its target is not changed`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store().setItem(item, forKey: key)
            let other = fixture.folder.url.appendingPathComponent("other")
            try FileManager.default.moveItem(at: fixture.file, to: other)
            try FileManager.default.createSymbolicLink(at: fixture.file, withDestinationURL: other)
            let bytes = try Data(contentsOf: other)
            try await expectDenied(fixture)
            #expect(try Data(contentsOf: other) == bytes)
        }
    }

    @Test func `a folder or a pipe instead of the file is refused`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try FileManager.default.createDirectory(at: fixture.file, withIntermediateDirectories: false)
            try await expectDenied(fixture)
            try FileManager.default.removeItem(at: fixture.file)
            #expect(unsafe mkfifo(fixture.file.path, 0o600) == 0)
            try await expectDenied(fixture)
        }
    }

    @Test func `another user's file is refused`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store().setItem(item, forKey: key)
            guard unsafe chown(fixture.file.path, 65_534, 65_534) == 0 else {
                try Test.cancel("only root can give files away")
            }
            try await expectDenied(fixture)
        }
    }

    @Test func `a relative folder is refused`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let passphrase = try Passphrase("any")
            let store = EncryptedFileStore(scope: fixture.scope, folder: "relative") { passphrase }
            await #expect(throws: SecureStoreError(.denied)) { try await store.item(forKey: key) }
        }
    }

    @Test func `a read or a removal does not create the file`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            #expect(try await store.item(forKey: key) == nil)
            try await store.removeItem(forKey: key)
            #expect(try await store.replaceItem(forKey: key, ifEquals: item, with: nil))
            #expect(!FileManager.default.fileExists(atPath: fixture.file.path))
        }
    }

    @Test func `a write removes the drafts of killed writers and no other file`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            let file = fixture.file.lastPathComponent
            let others = ["other.sallyport.1.draft", "\(file).1", "\(file).1.draft.kept"]
            for name in others + ["\(file).1.draft", "\(file).zz.draft"] {
                try Data("left".utf8).write(to: fixture.folder.url.appendingPathComponent(name))
            }
            try await store.setItem(item, forKey: key)
            let lock = ScopeFileName.of("encrypted file", fixture.scope)
            #expect(try fixture.names() == (others + [file, lock]).sorted())
        }
    }

    @Test func `a new item beyond the maximum number is refused, and the others stay`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            var items: [StoreKey: SecretBytes] = [:]
            for number in 0..<EncryptedFileFormat.maximumItems { items[try StoreKey("\(number)")] = SecretBytes([1]) }
            try fixture.put(items)
            await #expect(throws: SecureStoreError(.full)) { try await store.setItem(item, forKey: key) }
            try await store.setItem(item, forKey: try StoreKey("0"))
            #expect(try await store.names().count == EncryptedFileFormat.maximumItems)
        }
    }

    @Test func `a write that would make the file too large is refused, and the old file stays`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            let large = SecretBytes(Array(repeating: 7, count: SecretBytes.maximumItemSize))
            let refused = await SecureStoreError.of {
                var items: [StoreKey: SecretBytes] = [:]
                for number in 0..<63 { items[try StoreKey("\(number)")] = large }
                try fixture.put(items)
                let bytes = try fixture.bytes()
                try await store.setItem(item, forKey: key)
                try await store.removeItem(forKey: key)
                #expect(try fixture.bytes().count == bytes.count)
                try await store.setItem(large, forKey: key)
            }
            #expect(refused == "full 16777216 bytes")
            #expect(try await store.names().count == 63)
        }
    }

    private func expectDenied(_ fixture: EncryptedFileFixture) async throws {
        let store = try fixture.store()
        await #expect(throws: SecureStoreError(.denied)) { try await store.item(forKey: key) }
        await #expect(throws: SecureStoreError(.denied)) { try await store.setItem(item, forKey: key) }
        await #expect(throws: SecureStoreError(.denied)) { try await store.removeItem(forKey: key) }
    }
}
#endif
