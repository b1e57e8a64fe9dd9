// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import TestSupport

@testable import SecureStore

/// A folder with one encrypted file, and changes to the file that bypass the store.
struct EncryptedFileFixture {
    static let passphrase = "a passphrase for tests"
    static let service = "com.example.tests"

    let folder: TemporaryFolder
    let scope: StoreScope

    init() throws {
        folder = try TemporaryFolder()
        scope = try StoreScope(service: Self.service)
    }

    /// Runs a test with a folder that is removed afterwards.
    static func with<Result>(_ body: (EncryptedFileFixture) async throws -> Result) async throws -> Result {
        let fixture = try EncryptedFileFixture()
        defer { fixture.folder.remove() }
        return try await body(fixture)
    }

    /// Creates a store with a low cost of opening.
    func store(
        _ passphrase: String = passphrase,
        scope: StoreScope? = nil,
        deadline: Duration = .seconds(60),
        keepsDerivedKey: Bool = false,
        cost: ScryptCost = ScryptCost(4)
    ) throws -> EncryptedFileStore {
        let passphrase = try Passphrase(passphrase)
        return EncryptedFileStore(
            scope: scope ?? self.scope,
            folder: path,
            secret: .passphrase({ passphrase }, keepsDerivedKey: keepsDerivedKey),
            deadline: deadline,
            cost: cost
        )
    }

    /// Creates a store of a file under a key.
    func store(key: FileKey, scope: StoreScope? = nil) -> EncryptedFileStore {
        EncryptedFileStore(scope: scope ?? self.scope, folder: path, key: key, deadline: .seconds(60))
    }

    /// Returns a new key.
    static func newKey() throws -> FileKey { try FileKey(SecretBytes(RandomBytes.make(32) + [0xFF])) }

    /// The folder's path.
    var path: String { folder.url.path }

    /// The file's location.
    var file: URL { file(of: scope) }

    /// Returns the location of another scope's file.
    func file(of scope: StoreScope) -> URL { folder.url.appendingPathComponent(EncryptedFile.name(of: scope)) }

    /// Returns the file's bytes.
    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: file)) }

    /// Writes the file directly, as no program may.
    func put(_ bytes: [UInt8]) throws { try Data(bytes).write(to: file) }

    /// Writes a file of many items at once.
    func put(_ items: [StoreKey: SecretBytes]) throws {
        let derivation = KeyDerivation(cost: ScryptCost(4))
        let keys = try FileKeys(Passphrase(Self.passphrase), ScryptCost(4), salt: derivation.salt)
        try put(EncryptedFileFormat.seal(items, derivation, keys, of: scope))
    }

    /// Returns the names of all files in the folder.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }

    /// Writes three items and returns them in the order of the file.
    func writeThree(with store: EncryptedFileStore) async throws -> [(key: StoreKey, item: SecretBytes)] {
        let items = try ["first", "second", "third"].map {
            (key: try StoreKey($0), item: SecretBytes("\($0) item".utf8))
        }
        for (key, item) in items { try await store.setItem(item, forKey: key) }
        return items
    }
}

extension EncryptedFileStore {
    /// The keys of all items.
    func names() async throws -> Set<StoreKey> {
        try await perform { file, _ in Set((try file.items() ?? [:]).keys) }
    }
}

extension SecureStoreError {
    /// Runs a function and returns its error as text: the code and the detail.
    static func of(_ work: () async throws -> Void) async -> String {
        do {
            try await work()
            return "no error"
        } catch let error as SecureStoreError {
            return [error.code.description, error.detail].compactMap(\.self).joined(separator: " ")
        } catch {
            return "another error: \(error)"
        }
    }
}
#endif
