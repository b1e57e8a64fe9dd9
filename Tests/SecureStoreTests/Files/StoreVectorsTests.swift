// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import TestSupport
import Testing

@testable import SecureStore

/// The notes, markers and names on the disk that every later version must read and find.
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

    struct NoteValue: Decodable, Sendable {
        let home: String
        let removals: [String: [String]]
    }

    @Test func `no vector has changed, and each is listed`() throws {
        let names = StoreVectors.folder.names()
        let sums = try names.map { Hexadecimal.encode(SecretBytes(try StoreVectors.folder.bytes($0)).sha256) }
        #expect(try StoreVectors.folder.listedSums() == Dictionary(uniqueKeysWithValues: zip(names, sums)))
        // Those of 0.1.0.
        #expect(names.count >= 19)
    }

    @Test(arguments: try StoreVectors.all("note", as: TextVector<NoteValue>.self))
    func `a note of every version is read exactly, and written again as it was`(vector: TextVector<NoteValue>) throws {
        let bytes = Array(vector.input.utf8)
        guard let value = vector.value else {
            let error = #expect(throws: SecureStoreError.self) { try StoreNote(bytes) }
            #expect(error?.code.description == vector.expect)
            return
        }
        let note = try StoreNote(bytes)
        #expect(note.home?.name == value.home)
        var removals: [String: [String]] = [:]
        for (location, removal) in note.removals {
            switch removal {
            case .all: removals[location.name] = ["*"]
            case .items(let keys): removals[location.name] = keys.map(\.name).sorted()
            }
        }
        #expect(removals == value.removals)
        #expect(note.text == vector.input)
    }

    struct ScopeValue: Decodable, Sendable {
        let service: String
        let account: String
    }

    @Test(arguments: try StoreVectors.all("scope", as: TextVector<ScopeValue>.self))
    func `the names of a scope of every version are read exactly, and written again as they were`(
        vector: TextVector<ScopeValue>
    ) throws {
        let bytes = Array(vector.input.utf8)
        guard let value = vector.value else {
            let error = #expect(throws: SecureStoreError.self) { try ScopeNames(bytes) }
            #expect(error?.code.description == vector.expect)
            return
        }
        let names = try ScopeNames(bytes)
        #expect(names.service.name == value.service)
        #expect(names.account.name == value.account)
        #expect(names.text == vector.input)
    }

    @Test(arguments: try StoreVectors.all("migration", as: TextVector<[String: String]>.self))
    func `a migration's marker of every version is read exactly, and written again as it was`(
        vector: TextVector<[String: String]>
    ) throws {
        let item = SecretBytes(vector.input.utf8)
        guard let value = vector.value else {
            let error = #expect(throws: SecureStoreError.self) { try MigrationMarker(item) }
            #expect(error?.code.description == vector.expect)
            return
        }
        let marker = try MigrationMarker(item)
        var entries: [String: String] = [:]
        for (location, entry) in marker.entries {
            switch entry {
            case .copied(let hash): entries[location.name] = hash
            case .discard: entries[location.name] = "discard"
            }
        }
        #expect(entries == value)
        #expect(marker.item == item)
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
            let scope = StoreScope(
                service: try StoreService(file.service),
                account: try StoreAccount(file.account)
            )
            let purposes: [StaticString] = ["session", "stores", "migration", "items", "encrypted file"]
            let purpose = try #require(purposes.first { $0.description == file.purpose })
            let endings: [StaticString] = ["lock", "note", "scope", "sallyport"]
            let ending = try #require(endings.first { file.name.hasSuffix(".\($0)") })
            #expect(ScopeFileName.of(purpose, scope, onBus: file.bus, ending: ending) == file.name)
        }
    }

    @Test func `the session's lock, the note, its names and its lock are the files of these names`() async throws {
        let files = try StoreVectors.folder.read("file-names.json", as: FileNames.self).files
        let scope = StoreScope(service: try StoreService("com.example.app"))
        let names = files.filter { $0.account == "default" && ["session", "stores"].contains($0.purpose) }.map(\.name)
        try #require(names.count == 4)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await SessionLock(for: scope, in: folder.url.path).withLock {}
        let path = folder.url.path
        let file = NoteFile(of: scope) { _ in try PrivateFolder(path) }
        var note = StoreNote()
        note.home = .keyring
        let written = note
        try await file.lock.withLock(timeout: .seconds(10)) { try await file.write(written) }
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
            let scope = StoreScope(service: try StoreService(item.service), account: try StoreAccount(item.account))
            let key = try StoreKey(item.key)
            #expect(ItemAttributes(scope, key: key).query == item.attributes)
        }
    }
    #endif
}
