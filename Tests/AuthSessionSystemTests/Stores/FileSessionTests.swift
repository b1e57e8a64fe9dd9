// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import AuthTesting
import Foundation
import SecureStore
import TestSupport
import Testing

@testable import AuthSession
@testable import AuthSessionTests

/// Sessions in an encrypted file.
@Suite(.timeLimit(.minutes(5)))
struct FileSessionTests {
    private func store(_ folder: TemporaryFolder) throws -> EncryptedFileStore {
        EncryptedFileStore(
            scope: try StoreScope(service: "com.example.tests"),
            folder: folder.url.path,
            secret: .passphrase({ try Passphrase("a good passphrase") }, keepsDerivedKey: false),
            deadline: .seconds(60),
            cost: ScryptCost(4)
        )
    }

    /// Returns the names of all files that are not empty: the store's lock file is empty.
    private func files(_ folder: TemporaryFolder) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
        return try names.filter { try !Data(contentsOf: folder.url.appending(path: $0)).isEmpty }
    }

    @Test func `a session that is not remembered leaves nothing on disk`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let fixture = try StoreFixture(try store(folder))
        try await fixture.signIn(rememberMe: false)
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
        #expect(try files(folder).isEmpty)
    }

    @Test func `a remembered session survives a restart, and no file contains its token in clear text`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let fixture = try StoreFixture(try store(folder))
        try await fixture.signIn()
        #expect(try !files(folder).isEmpty)
        #expect(folder.files(containing: Data("access-1".utf8)).isEmpty)
        let other = try StoreFixture(try store(folder))
        await other.session.restore(validating: false)
        #expect(try await other.session.accessToken().unredacted == "access-1")
    }
}
#endif
