// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore

@Suite struct EncryptedFileDiagnosisTests {
    @Test func `the diagnosis names the file, whether or not it exists`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            for _ in 0..<2 {
                let diagnosis = await store.diagnose()
                #expect(diagnosis.location == fixture.file.path)
                #expect(diagnosis.problem == nil && diagnosis.advice == nil && diagnosis.command == nil)
                #expect(diagnosis.protection == .encryptedFile && diagnosis.isLocked == false)
                _ = try await fixture.writeThree(with: store)
            }
        }
    }

    @Test func `the diagnosis of a wrong passphrase has advice and no command`() async throws {
        try await EncryptedFileFixture.with { fixture in
            _ = try await fixture.writeThree(with: fixture.store())
            let diagnosis = try await fixture.store("another").diagnose()
            #expect(diagnosis.problem == SecureStoreError(.wrongPassphrase))
            #expect(diagnosis.advice != nil && diagnosis.command == nil)
        }
    }

    @Test func `the diagnosis of a damaged item has advice and no command`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            _ = try await fixture.writeThree(with: store)
            var bytes = try fixture.bytes()
            bytes[bytes.count - 1] ^= 1
            try fixture.put(bytes)
            let diagnosis = await store.diagnose()
            #expect(diagnosis.problem == SecureStoreError(.damaged) && diagnosis.problem?.detail == "item")
            #expect(diagnosis.advice != nil && diagnosis.command == nil)
        }
    }

    @Test(arguments: [[UInt8](), Array("something else".utf8)])
    func `the command for a damaged file moves it aside`(bytes: [UInt8]) async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            try fixture.put(bytes)
            let diagnosis = await store.diagnose()
            #expect(diagnosis.problem != nil && diagnosis.advice != nil)
            #expect(try await Command("sh", ["-c", try #require(diagnosis.command)]).run().exitCode == 0)
            #expect(await store.diagnose().problem == nil)
            #expect(try Array(Data(contentsOf: fixture.file.appendingPathExtension("damaged"))) == bytes)
        }
    }

    @Test func `the command for a folder open to others restricts its mode, whatever its name`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let folder = try fixture.folder.folder("it's $HOME; \"quoted\"")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            let passphrase = try Passphrase("any")
            let store = EncryptedFileStore(scope: fixture.scope, folder: folder.path, passphrase: passphrase)
            let diagnosis = await store.diagnose()
            #expect(diagnosis.problem == SecureStoreError(.denied))
            #expect(try await Command("sh", ["-c", try #require(diagnosis.command)]).run().exitCode == 0)
            #expect(await store.diagnose().problem == nil)
        }
    }
}
#endif
