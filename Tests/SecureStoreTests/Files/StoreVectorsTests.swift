// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Foundation
import TestSupport
import Testing

@testable import SecureStore

/// The notes and names on the disk that every later version must read and find.
///
/// Never change a vector or a line of `SHA256SUMS`: add one.
@Suite struct StoreVectorsTests {
    /// A text of a file or an item.
    struct TextVector<Value: Decodable & Sendable>: Decodable, Sendable {
        let comment: String
        let input: String
        let expect: String
        let value: Value?
    }

    @Test func `no vector has changed, and each is listed`() throws {
        let names = StoreVectors.folder.names()
        let sums = try names.map { Hexadecimal.encode(SecretBytes(try StoreVectors.folder.bytes($0)).sha256) }
        #expect(try StoreVectors.folder.listedSums() == Dictionary(uniqueKeysWithValues: zip(names, sums)))
        // Those of 0.1.0.
        #expect(names.count >= 14)
    }

    @Test(arguments: try StoreVectors.all("removals", as: TextVector<[String]>.self))
    func `a note of every version is read exactly, and written again as it was`(vector: TextVector<[String]>) throws {
        let bytes = Array(vector.input.utf8)
        guard let value = vector.value else {
            let error = #expect(throws: SecureStoreError.self) { try RemovalNote.removals(bytes) }
            #expect(error?.code.description == vector.expect)
            return
        }
        let removals = try RemovalNote.removals(bytes)
        #expect(removals.keys.map(\.name).sorted() == value)
        #expect(RemovalNote.text(removals) == vector.input)
    }

    // MARK: Names

    struct FileNames: Decodable {
        struct File: Decodable {
            let purpose: String
            let service: String
            let account: String
            let bus: String?
            let name: String
        }

        let files: [File]
    }

    @Test func `the files of a scope have the names of 0.1.0`() throws {
        for file in try StoreVectors.folder.read("file-names.json", as: FileNames.self).files {
            let scope = try StoreScope(service: file.service, account: file.account)
            let purposes: [StaticString] = ["session", "removals", "migration", "items", "encrypted file"]
            let purpose = try #require(purposes.first { $0.description == file.purpose })
            let endings: [StaticString] = ["lock", "note", "sallyport"]
            let ending = try #require(endings.first { file.name.hasSuffix(".\($0)") })
            #expect(ScopeFileName.of(purpose, scope, onBus: file.bus, ending: ending) == file.name)
        }
    }

    @Test func `the session's lock, the note and its lock are the files of these names`() async throws {
        let files = try StoreVectors.folder.read("file-names.json", as: FileNames.self).files
        let scope = try StoreScope(service: "com.example.app")
        let names = files.filter { $0.account == "default" && ["session", "removals"].contains($0.purpose) }.map(\.name)
        try #require(names.count == 3)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.path
        try await SessionLock(for: scope, in: path).withLock {}
        let locked = FaultyStore(scope: scope)
        locked.lock()
        try await PendingRemovals(locked, named: "keyring", notesIn: path).removeItem(forKey: StoreKey("session"))
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: path)) == Set(names))
    }

    #if Keyring && canImport(CSecretService)
    struct KeyringAttributes: Decodable {
        struct Item: Decodable {
            let service: String
            let account: String
            let key: String
            let attributes: [String: String]
        }

        let items: [Item]
    }

    @Test func `items in a keyring have the attributes of 0.1.0`() throws {
        let vector = try StoreVectors.folder.read("keyring-attributes.json", as: KeyringAttributes.self)
        for item in vector.items {
            let scope = try StoreScope(service: item.service, account: item.account)
            let key = try StoreKey(item.key)
            #expect(ItemAttributes(scope, key: key).query == item.attributes)
        }
    }
    #endif
}
