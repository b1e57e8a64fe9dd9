// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import TestSupport
import Testing

@testable import SecureStore
@testable import SecureStoreTests

/// Encrypted files that every later version must read, in both directions with another implementation.
///
/// Never change a vector or a line of `SHA256SUMS`: add one. `StoreVectorsTests` checks the list.
@Suite struct EncryptedFileVectorsTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        struct Input: Decodable, Sendable {
            let service: String
            let account: String
            /// Absent if the file is opened with a key.
            let passphrase: String?
            let key: Data?
            /// The file's name in its folder.
            let name: String
            let file: Data
        }

        let comment: String
        let input: Input
        let expect: String
        let items: [String: Data]?

        var testDescription: String { comment }

        var scope: StoreScope {
            get throws {
                try StoreScope(service: input.service, account: input.account)
            }
        }

        /// Writes the file, and runs a test with a store of it.
        func with(_ body: (EncryptedFileStore, URL) async throws -> Void) async throws {
            try await EncryptedFileFixture.with { fixture in
                let file = fixture.folder.url.appendingPathComponent(input.name)
                try input.file.write(to: file)
                let scope = try scope
                let store =
                    if let key = input.key { fixture.store(key: try FileKey(SecretBytes(key)), scope: scope) } else {
                        try fixture.store(#require(input.passphrase), scope: scope)
                    }
                try await body(store, file)
            }
        }
    }

    static func vectors(readable: Bool) throws -> [Vector] {
        try StoreVectors.all("encrypted-file", as: Vector.self).filter { ($0.items != nil) == readable }
    }

    @Test(arguments: try vectors(readable: true))
    func `a file of every version is read exactly, under the name that it had`(vector: Vector) async throws {
        let items = try #require(vector.items)
        try await vector.with { store, file in
            #expect(Set(try await store.names().map(\.name)) == Set(items.keys))
            try await expect(items, in: store)
            #expect(try Data(contentsOf: file) == vector.input.file)
        }
    }

    @Test(arguments: try vectors(readable: true))
    func `a write keeps version, cost and salt, and the other items`(vector: Vector) async throws {
        try await vector.with { store, file in
            let (key, new) = (try StoreKey("new"), SecretBytes("new".utf8))
            try await store.setItem(new, forKey: key)
            // All before the check value, and that.
            #expect(try Data(contentsOf: file).prefix(76) == vector.input.file.prefix(76))
            #expect(try await store.item(forKey: key) == new)
            try await expect(#require(vector.items), in: store)
        }
    }

    private func expect(_ items: [String: Data], in store: EncryptedFileStore) async throws {
        for (name, item) in items {
            let key = try StoreKey(name)
            #expect(try await store.item(forKey: key) == SecretBytes(item))
        }
    }

    @Test(arguments: try vectors(readable: true)) func `the fields have the documented offsets`(vector: Vector) throws {
        let file = vector.input.file
        let header = try FileHeader(of: Array(file))
        let cost = vector.input.key == nil ? ScryptCost(file[9], file[10], file[11]) : nil
        #expect(header.derivation == KeyDerivation(cost: cost, salt: Array(file[12..<44])))
        #expect(vector.input.key == nil || file[9..<12] == Data([0, 0, 0]))
        #expect(header.check == Array(file[44..<76]))
        // Each item has a length, its name and a size before it; the box has a nonce and a tag.
        #expect(header.boxSize == vector.items?.reduce(28) { $0 + 5 + $1.key.utf8.count + $1.value.count })
        #expect(header.encoded == Array(file.prefix(112)))
    }

    @Test(arguments: try vectors(readable: false))
    func `a file that can't be opened, such as a later version's, is never overwritten`(vector: Vector) async throws {
        try await vector.with { store, file in
            let key = try StoreKey("session")
            let calls: [(EncryptedFileStore) async throws -> Void] = [
                { _ = try await $0.item(forKey: key) }, { try await $0.setItem(SecretBytes("new".utf8), forKey: key) },
                { try await $0.removeItem(forKey: key) },
                { _ = try await $0.replaceItem(forKey: key, ifEquals: nil, with: SecretBytes("new".utf8)) },
            ]
            for call in calls {
                let error = await #expect(throws: SecureStoreError.self) { try await call(store) }
                #expect(error?.code.description == vector.expect)
            }
            #expect(try Data(contentsOf: file) == vector.input.file)
        }
    }

    @Test(
        .enabled(if: Python.has("cryptography"), "needs python3-cryptography; Tests/run installs it"),
        arguments: [false, true]
    )
    func `a program without code of the library reads what the store writes, and the other way round`(
        underKey: Bool
    ) async throws {
        try await EncryptedFileFixture.with { fixture in
            let key = try EncryptedFileFixture.newKey()
            let store = underKey ? fixture.store(key: key) : try fixture.store()
            let written = try await fixture.writeThree(with: store)
            var names = [fixture.file.path, EncryptedFileFixture.service, "default"]
            var secret = Data("\(EncryptedFileFixture.passphrase)\n".utf8)
            if underKey {
                let file = fixture.folder.url.appending(path: "key")
                try Data(key.unredacted).write(to: file)
                (names, secret) = (names + [file.path], Data())
            }
            let read = try await run(["read"] + names, secret)
            let found = try JSONDecoder().decode([String: Data].self, from: read)
            #expect(found.mapValues { SecretBytes($0) } == items(written))
            try FileManager.default.removeItem(at: fixture.file)
            _ = try await run(["write"] + names, secret + read)
            for (key, item) in written { #expect(try await store.item(forKey: key) == item) }
        }
    }

    private func items(_ written: [(key: StoreKey, item: SecretBytes)]) -> [String: SecretBytes] {
        Dictionary(uniqueKeysWithValues: written.map { ($0.key.name, $0.item) })
    }

    private func run(_ words: [String], _ input: Data) async throws -> Data {
        let arguments = [SupportFiles.path("encrypted-file")] + words
        let output = try await Command(Python.path, arguments, input: input).run()
        try #require(output.exitCode == 0, "\(output.errorText)")
        return output.standardOutput
    }
}
#endif
