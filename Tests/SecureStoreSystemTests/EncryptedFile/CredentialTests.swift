// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Glibc
import Testing
import TestSupport

@testable import SecureStore

/// Passphrases that systemd passes.
@Suite struct CredentialTests {
    private let name = "store.passphrase"

    @Test func `reading a credential drops one trailing newline`() throws {
        try withCredential("open sesame\n") { folder in
            let passphrase = try Passphrase(systemdCredential: name, in: folder)
            #expect(passphrase == (try Passphrase("open sesame")))
        }
    }

    @Test(arguments: ["", ".", "..", "../store.passphrase", "/etc/hostname", "a/b", "a\0", "ä"])
    func `a name that is not a plain file name is rejected`(name: String) throws {
        try withCredential("open sesame") { folder in
            #expect(throws: SecureStoreError(.invalidName)) { try Passphrase(systemdCredential: name, in: folder) }
        }
    }

    @Test(arguments: ["", "\n", String(repeating: "x", count: 4_097)])
    func `a credential that is empty or too long is rejected`(content: String) throws {
        try withCredential(content) { folder in
            #expect(throws: SecureStoreError(.invalidPassphrase)) {
                try Passphrase(systemdCredential: name, in: folder)
            }
        }
    }

    @Test func `a missing credential is rejected`() throws {
        try withCredential("open sesame") { folder in
            #expect(throws: SecureStoreError(.invalidPassphrase)) {
                try Passphrase(systemdCredential: "missing", in: folder)
            }
        }
    }

    @Test func `a credential that is a link, a pipe or a folder is refused`() throws {
        try withCredential("open sesame") { folder in
            #expect(unsafe symlink(name, folder + "/link") == 0)
            #expect(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
            #expect(unsafe mkdir(folder + "/folder", 0o700) == 0)
            for name in ["link", "pipe", "folder"] {
                #expect(throws: SecureStoreError(.denied)) { try Passphrase(systemdCredential: name, in: folder) }
            }
        }
    }

    @Test(arguments: [nil, "", ".", "relative"])
    func `reading a credential fails without an absolute path of the credentials folder`(folder: String?) {
        #expect(throws: SecureStoreError(.invalidPassphrase)) { try Passphrase(systemdCredential: name, in: folder) }
    }

    @Test func `a credential is read from CREDENTIALS_DIRECTORY`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Data("open sesame".utf8).write(to: folder.url.appendingPathComponent(name))
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("CREDENTIALS_DIRECTORY", path, 1)
            let passphrase = try Passphrase(systemdCredential: "store.passphrase")
            #expect(passphrase == (try Passphrase("open sesame")))
        }
    }

    private func withCredential(_ content: String, _ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Data(content.utf8).write(to: folder.url.appendingPathComponent(name))
        try body(folder.url.path)
    }
}
#endif
