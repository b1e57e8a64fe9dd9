// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Crypto
import Foundation
import Glibc
import Testing
import TestSupport

@testable import SecureStore

/// Derived keys that the kernel keeps for the user's next processes.
@Suite struct DerivedKeyTests {
    /// Whether this kernel keeps keys; in a container it may refuse.
    private static let isAllowed: Bool = {
        let name = "sallyport:probe-\(RandomName.make())"
        KernelKeyring.keep([1], as: name)
        defer { KernelKeyring.remove(name) }
        return KernelKeyring.read(name, size: 1) != nil
    }()

    private let name = "sallyport:test-\(RandomName.make())"
    private let key: StoreKey
    private let item = SecretBytes("kept".utf8)

    init() throws {
        key = try StoreKey("session")
    }

    // MARK: The kernel's keyring

    @Test(.enabled(if: isAllowed, "the kernel keeps no keys"))
    func `a kept secret is read by its exact size alone, until it is replaced or removed`() {
        KernelKeyring.keep([1, 2, 3], as: name)
        #expect(KernelKeyring.read(name, size: 3) == [1, 2, 3])
        #expect(KernelKeyring.read(name, size: 2) == nil && KernelKeyring.read(name, size: 4) == nil)
        KernelKeyring.keep([4], as: name)
        #expect(KernelKeyring.read(name, size: 1) == [4])
        KernelKeyring.remove(name)
        #expect(KernelKeyring.read(name, size: 1) == nil)
        KernelKeyring.remove(name)
    }

    @Test(.enabled(if: isAllowed, "the kernel keeps no keys"))
    func `a kept secret ends after fifteen minutes, and is this user's alone`() throws {
        KernelKeyring.keep([1], as: name)
        defer { KernelKeyring.remove(name) }
        // Number, flags, uses, time left, permissions (of possessor, user, group and others), user.
        // `String(contentsOfFile:)` reads the first 4 KiB alone, because the file's size is 0.
        let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/keys")).readToEnd() ?? Data()
        let keys = String(decoding: table, as: UTF8.self).split(separator: "\n")
        let fields = try #require(keys.first { $0.contains(name) }).split(separator: " ")
        #expect(["15m", "14m"].contains(fields[3]))
        #expect(fields[4] == "2f2f0000" && fields[5] == "\(geteuid())")
    }

    // MARK: Files

    @Test(.enabled(if: isAllowed, "the kernel keeps no keys"))
    func `only the first store that keeps the key pays for scrypt`() async throws {
        try await EncryptedFileFixture.with { fixture in
            // Slow enough for a difference that no busy machine hides.
            try await fixture.store(keepsDerivedKey: true, cost: ScryptCost(17)).setItem(item, forKey: key)
            defer { try? forget(fixture) }
            var times: [Duration] = []
            for keeps in [true, false] {
                let store = try fixture.store(keepsDerivedKey: keeps)
                let start = ContinuousClock.now
                #expect(try await store.item(forKey: key) == item)
                times.append(start.duration(to: .now))
            }
            let (warm, cold) = (times[0], times[1])
            #expect(warm * 8 < cold, "\(warm) with the kept key, \(cold) without")
        }
    }

    @Test(.enabled(if: isAllowed, "the kernel keeps no keys"))
    func `a store keeps no key unless it is asked to, and never for a wrong passphrase or under a key`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store().setItem(item, forKey: key)
            #expect(try await fixture.store().item(forKey: key) == item)
            await #expect(throws: SecureStoreError(.wrongPassphrase)) {
                try await fixture.store("another", keepsDerivedKey: true).item(forKey: key)
            }
            #expect(try !isKept(fixture))
            #expect(try await fixture.store(keepsDerivedKey: true).item(forKey: key) == item)
            #expect(try isKept(fixture))
            try forget(fixture)
            try FileManager.default.removeItem(at: fixture.file)
            try await fixture.store(key: EncryptedFileFixture.newKey()).setItem(item, forKey: key)
            #expect(try !isKept(fixture))
        }
    }

    @Test(.enabled(if: isAllowed, "the kernel keeps no keys"))
    func `a wrong passphrase opens nothing while the key is kept`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store(keepsDerivedKey: true).setItem(item, forKey: key)
            defer { try? forget(fixture) }
            await #expect(throws: SecureStoreError(.wrongPassphrase)) {
                try await fixture.store("another", keepsDerivedKey: true).item(forKey: key)
            }
            #expect(try await fixture.store(keepsDerivedKey: true).item(forKey: key) == item)
        }
    }

    @Test(.enabled(if: isAllowed, "the kernel keeps no keys"))
    func `the kept secret contains neither passphrase nor key`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store(keepsDerivedKey: true).setItem(item, forKey: key)
            defer { try? forget(fixture) }
            let kept = try #require(KernelKeyring.read(try keptName(fixture), size: 60))
            let salt = try FileHeader(of: fixture.bytes()).derivation.salt
            let keys = try FileKeys(Passphrase(EncryptedFileFixture.passphrase), ScryptCost(4), salt: salt)
            let main = unsafe keys.main.withUnsafeBytes { unsafe Data(Array($0)) }
            for secret in [main, Data(EncryptedFileFixture.passphrase.utf8)] {
                #expect(Data(kept).firstRange(of: secret) == nil)
            }
        }
    }

    @Test(.enabled(if: isAllowed, "the kernel keeps no keys"))
    func `a file that was replaced is opened in spite of the kept key, which is dropped`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = { try fixture.store(keepsDerivedKey: true) }
            try await store().setItem(item, forKey: key)
            defer { try? forget(fixture) }
            // Another salt: the kept key has another name.
            try FileManager.default.removeItem(at: fixture.file)
            try await fixture.store().setItem(SecretBytes("new".utf8), forKey: key)
            #expect(try await store().item(forKey: key) == SecretBytes("new".utf8))
            // The salt stays, and the key is another one.
            let header = try FileHeader(of: fixture.bytes())
            let salt = header.derivation.salt
            let passphrase = try Passphrase(EncryptedFileFixture.passphrase)
            let keys = try FileKeys(passphrase, ScryptCost(5), salt: salt)
            let derivation = KeyDerivation(cost: ScryptCost(5), salt: salt)
            try fixture.put(EncryptedFileFormat.seal([key: item], derivation, keys, of: fixture.scope))
            #expect(try await store().item(forKey: key) == item)
            #expect(FileKeys.kept(passphrase, for: header) == nil)
            #expect(try !isKept(fixture))
            // Bytes that nobody has wrapped.
            KernelKeyring.keep(Array(repeating: 7, count: 60), as: try keptName(fixture))
            #expect(try await store().item(forKey: key) == item)
        }
    }

    @Test(.enabled(if: isAllowed, "the kernel keeps no keys"))
    func `the kept key is removed with the last item, and on request without the passphrase`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store(keepsDerivedKey: true)
            try await store.setItem(item, forKey: key)
            #expect(try isKept(fixture))
            try await store.removeItem(forKey: key)
            #expect(try !isKept(fixture))
            try await fixture.store(keepsDerivedKey: true).setItem(item, forKey: key)
            #expect(try isKept(fixture))
            try await fixture.store("another").removeDerivedKey()
            #expect(try !isKept(fixture))
            try await store.removeDerivedKey()
        }
    }

    @Test(.enabled(if: Python.has("ctypes")))
    func `a store works where the kernel refuses to keep keys`() async throws {
        // As the seccomp profile of a container does: `add_key` and `keyctl` fail with EPERM.
        let refuse = """
            import ctypes, os, platform, struct, sys
            calls = {"x86_64": (248, 250), "aarch64": (217, 219)}[platform.machine()]
            rule = lambda code, yes, no, value: struct.pack("HBBI", code, yes, no, value)
            rules = [rule(0x20, 0, 0, 0), rule(0x15, 1, 0, calls[0]), rule(0x15, 0, 1, calls[1])]
            rules += [rule(0x06, 0, 0, 0x00050001), rule(0x06, 0, 0, 0x7FFF0000)]
            code = ctypes.create_string_buffer(b"".join(rules))
            program = struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code))
            libc = ctypes.CDLL(None)
            if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0): sys.exit(77)
            os.execvp(sys.argv[1], sys.argv[1:])
            """
        try await EncryptedFileFixture.with { fixture in
            let worker = try StoreWorkerProcess.start(
                ["keep-derived-key", fixture.path, EncryptedFileFixture.service],
                launcher: [Python.path, "-c", refuse]
            )
            let code = await worker.waitUntilExit(timeout: .seconds(60))
            if code == 77 { try Test.cancel("this machine lets nobody filter system calls") }
            #expect(code == 0)
            #expect(try await fixture.store().item(forKey: key) == item)
            #expect(try !isKept(fixture))
        }
    }

    /// The name of the key that is kept for a file, by the documented layout.
    private func keptName(_ fixture: EncryptedFileFixture) throws -> String {
        let salt = Array("kept key".utf8) + (try fixture.bytes()[12..<44])
        return "sallyport:" + Hexadecimal.encode(Array(SHA256.hash(data: salt))).prefix(40)
    }

    private func isKept(_ fixture: EncryptedFileFixture) throws -> Bool {
        KernelKeyring.read(try keptName(fixture), size: 60) != nil
    }

    private func forget(_ fixture: EncryptedFileFixture) throws {
        KernelKeyring.remove(try keptName(fixture))
    }
}
#endif
