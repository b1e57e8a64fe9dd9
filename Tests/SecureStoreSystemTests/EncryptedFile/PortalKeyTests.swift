// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && Keyring && canImport(Glibc)
import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

@testable import SecureStore

/// Files under the key of a secret portal that does as it is told.
@Suite(.needsScriptedKeyring) struct PortalKeyTests {
    /// The secret that the scripted portal gives.
    private static let secret = [UInt8](repeating: 0xA5, count: 64)
    private let item = SecretBytes("kept".utf8)

    private func with(
        _ commands: [String] = [],
        _ body: (ScriptedKeyring, EncryptedFileFixture) async throws -> Void
    ) async throws {
        try await ScriptedKeyring.with(commands, program: "scripted-portal") { portal in
            try await EncryptedFileFixture.with { try await body(portal, $0) }
        }
    }

    @Test func `a file under the portal's key is opened by it again, and each store asks for it once`() async throws {
        try await with { portal, fixture in
            for asked in 1...2 {
                let store = fixture.portalStore(on: portal.address)
                try await store.setItem(item, forKey: .session)
                #expect(try await store.item(forKey: .session) == item)
                #expect(try await portal.calls(of: "RetrieveSecret") == asked)
            }
            #expect(try FileHeader(of: fixture.bytes()).derivation.cost == nil)
            #expect(try await fixture.store(key: FileKey(SecretBytes(Self.secret))).item(forKey: .session) == item)
            #expect(fixture.folder.files(containing: Data(Self.secret)).isEmpty)
        }
    }

    @Test(arguments: SecureStoreConformance.checks)
    func `an encrypted file under the portal's key passes every conformance check`(
        check: SecureStoreCheck
    ) async throws {
        try await with { try await check.run($1.portalStore(on: $0.address)) }
    }

    @Test func `the absence of a file needs no portal`() async throws {
        try await with(["respond 2"]) { portal, fixture in
            let item = try await fixture.portalStore(on: portal.address).item(forKey: .session)
            #expect(item == nil)
            #expect(try await portal.calls(of: "RetrieveSecret") == 0)
        }
    }

    /// The response before the reply, one that another process forges, and a pipe that is not closed.
    @Test(arguments: ["early", "forge", "keep"])
    func `only the response of the portal itself counts, whenever it comes`(how: String) async throws {
        try await with([how]) { portal, fixture in
            try await fixture.portalStore(on: portal.address).setItem(item, forKey: .session)
            #expect(try await fixture.portalStore(on: portal.address).item(forKey: .session) == item)
        }
    }

    @Test func `a portal's secret may be text`() async throws {
        try await with(["text"]) { portal, fixture in
            try await fixture.portalStore(on: portal.address).setItem(item, forKey: .session)
            #expect(try await fixture.portalStore(on: portal.address).item(forKey: .session) == item)
        }
    }

    @Test(arguments: [
        ("respond 1", SecureStoreError.Code.locked),
        ("respond 2", .locked),
        ("respond 7", .locked),
        ("error org.freedesktop.portal.Error.NotAllowed", .locked),
        ("error org.freedesktop.DBus.Error.AccessDenied", .locked),
        ("elsewhere", .locked),
        ("error org.freedesktop.DBus.Error.UnknownMethod", .noProvider),
        ("error org.freedesktop.DBus.Error.UnknownInterface", .noProvider),
        ("exit", .noProvider),
        ("bytes 0", .failed),
        ("bytes 63", .failed),
        ("bytes 65", .failed),
        ("bytes 60000", .failed),
        ("other", .wrongPassphrase),
    ])
    func `without the portal's secret no item is absent, and no file is changed`(
        fault: String,
        code: SecureStoreError.Code
    ) async throws {
        try await with([fault]) { portal, fixture in
            try await fixture.store(key: FileKey(SecretBytes(Self.secret))).setItem(item, forKey: .session)
            let bytes = try fixture.bytes()
            let store = fixture.portalStore(on: portal.address)
            await #expect(throws: SecureStoreError(code)) { try await store.item(forKey: .session) }
            // The scripted portal is gone after `exit`.
            await #expect(throws: SecureStoreError(code)) { try await store.setItem(item, forKey: .session) }
            await #expect(throws: SecureStoreError(code)) { try await store.removeItem(forKey: .session) }
            #expect(try fixture.bytes() == bytes)
        }
    }

    @Test func `a bus without a portal has no provider`() async throws {
        try await PrivateKeyring.busWithoutProvider { bus in
            try await EncryptedFileFixture.with { fixture in
                let store = fixture.portalStore(on: bus.address)
                await #expect(throws: SecureStoreError(.noProvider)) { try await store.probe() }
                let names = try fixture.names()
                #expect(!names.contains { $0.hasSuffix(".sallyport") })
            }
        }
    }

    /// A second request would show a second prompt.
    @Test func `a late portal is locked, and its answer serves the next call`() async throws {
        try await with(["hold"]) { portal, fixture in
            try await fixture.store(key: FileKey(SecretBytes(Self.secret))).setItem(item, forKey: .session)
            let store = fixture.portalStore(on: portal.address, deadline: .seconds(2))
            await #expect(throws: SecureStoreError(.locked)) { try await store.item(forKey: .session) }
            await #expect(throws: SecureStoreError(.timedOut)) { try await store.unlock(timeout: .milliseconds(10)) }
            try await portal.say("release")
            try await store.unlock(timeout: .seconds(60))
            #expect(try await store.item(forKey: .session) == item)
            #expect(try await portal.calls(of: "RetrieveSecret") == 1)
        }
    }

    @Test func `a cancelled call leaves at once, and the next one gets the key`() async throws {
        try await with(["hold"]) { portal, fixture in
            let store = fixture.portalStore(on: portal.address)
            let call = Task { try await store.setItem(item, forKey: .session) }
            try await portal.waitForCall(of: "RetrieveSecret")
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            try await portal.say("release")
            #expect(try await store.item(forKey: .session) == nil)
            try await store.setItem(item, forKey: .session)
            #expect(try await portal.calls(of: "RetrieveSecret") == 1)
        }
    }

    @Test func `unlocking says that the user declined, and asks again the next time`() async throws {
        try await with(["respond 1"]) { portal, fixture in
            let store = fixture.portalStore(on: portal.address)
            await #expect(throws: SecureStoreError(.promptDismissed)) { try await store.unlock(timeout: .seconds(60)) }
            try await portal.say("respond 0")
            try await store.unlock(timeout: .seconds(60))
            try await store.setItem(item, forKey: .session)
            #expect(try await portal.calls(of: "RetrieveSecret") == 2)
        }
    }

    @Test func `unlocking a file under a passphrase does nothing`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let scope = fixture.scope
            let store = EncryptedFileStore(scope: scope, folder: fixture.path) { throw SecureStoreError(.failed) }
            try await store.unlock(timeout: .seconds(60))
        }
    }

    @Test func `a process in a Snap is sandboxed, and one in the shell of another's is not`() async {
        await #expect(processExitsWith: .success) {
            unsafe unsetenv("SNAP")
            #expect(!PortalKey.isSandboxed)
            unsafe setenv("SNAP", "/usr", 1)
            unsafe setenv("SNAP_NAME", "jobs", 1)
            #expect(!PortalKey.isSandboxed)
            let program = try URL(filePath: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            unsafe setenv("SNAP", program.deletingLastPathComponent().path, 1)
            #expect(PortalKey.isSandboxed)
        }
    }
}

/// The real portal, with gnome-keyring and without a display.
@Suite(
    .needsKeyring,
    .enabled(if: PrivatePortal.executable != nil, "needs xdg-desktop-portal; Tests/run installs it")
)
struct RealPortalTests {
    private let item = SecretBytes("kept".utf8)

    private func with(
        _ body: (PrivateKeyring, PrivatePortal, EncryptedFileFixture) async throws -> Void
    ) async throws {
        try await PrivateKeyring.with { keyring in
            let portal = try await PrivatePortal(keyring)
            do {
                try await EncryptedFileFixture.with { try await body(keyring, portal, $0) }
            } catch {
                await portal.stop()
                throw error
            }
            await portal.stop()
        }
    }

    @Test func `the portal gives the same key again, also after its restart, and is then gone`() async throws {
        try await with { keyring, portal, fixture in
            try await fixture.portalStore(on: keyring.address).setItem(item, forKey: .session)
            await portal.stop()
            await #expect(throws: SecureStoreError(.noProvider)) {
                try await fixture.portalStore(on: keyring.address).item(forKey: .session)
            }
            let next = try await PrivatePortal(keyring)
            #expect(try await fixture.portalStore(on: keyring.address).item(forKey: .session) == item)
            await next.stop()
        }
    }

    @Test(.enabled(if: KeyringPrompter.isAvailable, "needs python3-secretstorage; Tests/run installs it"))
    func `a locked keyring is locked, and unlocking asks the user for its password`() async throws {
        try await with { keyring, _, fixture in
            try await fixture.portalStore(on: keyring.address).setItem(item, forKey: .session)
            try await keyring.lock()
            let store = fixture.portalStore(on: keyring.address)
            // Without a prompter, as without a display.
            await #expect(throws: SecureStoreError(.locked)) { try await store.item(forKey: .session) }
            let prompter = try await KeyringPrompter(keyring, .password)
            try await store.unlock(timeout: .seconds(60))
            #expect(try await store.item(forKey: .session) == item)
            #expect(await prompter.leave() == 1)
        }
    }

    @Test(.enabled(if: Executable.find("xdg-dbus-proxy") != nil, "needs xdg-dbus-proxy; Tests/run installs it"))
    func `behind Flatpak's proxy, which refuses the keyring, the portal serves`() async throws {
        try await with { keyring, _, fixture in
            let proxy = try await DBusProxy(keyring.bus, in: keyring.home, talkingTo: [PrivatePortal.name])
            let environment = KeyringEnvironment(busAddress: proxy.address, isSandboxed: true)
            let inKeyring = KeyringStore(scope: fixture.scope, deadline: .seconds(60), environment: environment)
            let refusal = await #expect(throws: SecureStoreError(.sandboxed)) {
                try await inKeyring.item(forKey: .session)
            }
            #expect(refusal?.description.contains("PortalKey") == true)
            for _ in 0..<2 {
                let store = fixture.portalStore(on: proxy.address)
                try await store.setItem(item, forKey: .session)
                #expect(try await store.item(forKey: .session) == item)
            }
            await proxy.stop()
        }
    }
}

extension EncryptedFileFixture {
    /// Creates a store of a file under the key of the portal on a bus.
    fileprivate func portalStore(on busAddress: String, deadline: Duration = .seconds(60)) -> EncryptedFileStore {
        let key = PortalKey(KeyringEnvironment(busAddress: busAddress))
        return EncryptedFileStore(scope: scope, folder: path, key: key, deadline: deadline)
    }
}
#endif
