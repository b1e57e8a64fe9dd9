// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Glibc
import Testing
import TestSupport

@testable import SecureStore

/// Passphrases and keys that systemd passes, and key files.
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

    // MARK: Keys

    private let key = Array(repeating: 0xA5 as UInt8, count: 32)

    @Test func `a key is read from a credential and from a private file, whole`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // A newline at the end of random bytes is one of them.
        let content = key + [UInt8(ascii: "\n")]
        let file = try put(content, mode: 0o600, in: folder)
        #expect(try FileKey(file: file).unredacted == content)
        unsafe chmod(file, 0o400)
        #expect(try FileKey(file: file).unredacted == content)
        let path = folder.url.path
        await #expect(processExitsWith: .success) { [path = path as String, content = content as [UInt8]] in
            unsafe setenv("CREDENTIALS_DIRECTORY", path, 1)
            let key = try FileKey(systemdCredential: "key")
            #expect(key.unredacted == content)
            #expect(throws: SecureStoreError(.invalidPassphrase)) { try FileKey(systemdCredential: "missing") }
        }
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o610] as [mode_t])
    func `a key file that others may use is refused`(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try put(key, mode: mode, in: folder)
        #expect(throws: SecureStoreError(.denied)) { try FileKey(file: file) }
    }

    @Test func `a key file that is a link, a pipe, a folder, another user's or missing is refused`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try put(key, mode: 0o600, in: folder)
        let path = folder.url.path
        #expect(unsafe symlink(file, path + "/link") == 0)
        #expect(unsafe mkfifo(path + "/pipe", 0o600) == 0)
        #expect(unsafe mkdir(path + "/folder", 0o700) == 0)
        for name in ["link", "pipe", "folder"] {
            #expect(throws: SecureStoreError(.denied)) { try FileKey(file: "\(path)/\(name)") }
        }
        #expect(throws: SecureStoreError(.invalidPassphrase)) { try FileKey(file: path + "/missing") }
        if unsafe chown(file, 65_534, 65_534) == 0 {
            #expect(throws: SecureStoreError(.denied)) { try FileKey(file: file) }
        }
    }

    @Test(arguments: [31, 4_097, 1_000_000]) func `a key file of another size is refused`(size: Int) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try put(Array(repeating: 0xA5, count: size), mode: 0o600, in: folder)
        #expect(throws: SecureStoreError(.invalidPassphrase)) { try FileKey(file: file) }
    }

    private func put(_ bytes: [UInt8], mode: mode_t, in folder: TemporaryFolder) throws -> String {
        let url = folder.url.appending(path: "key")
        try Data(bytes).write(to: url)
        #expect(unsafe chmod(url.path, mode) == 0)
        return url.path
    }

    private func withCredential(_ content: String, _ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Data(content.utf8).write(to: folder.url.appendingPathComponent(name))
        try body(folder.url.path)
    }
}
#endif
