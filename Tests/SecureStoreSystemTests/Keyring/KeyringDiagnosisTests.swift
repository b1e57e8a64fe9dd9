// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore

@Suite(.needsKeyring) struct KeyringDiagnosisTests {
    private let scope: StoreScope

    init() throws {
        scope = StoreScope(service: try StoreService("com.example.tests"))
    }

    private func store(_ environment: KeyringEnvironment, deadline: Duration = .seconds(60)) -> KeyringStore {
        KeyringStore(scope: scope, deadline: deadline, environment: environment)
    }

    private func environment(_ keyring: PrivateKeyring) -> KeyringEnvironment {
        let folder = keyring.home.appendingPathComponent(".local/share/keyrings").path
        return KeyringEnvironment(busAddress: keyring.address, keyringFolder: folder)
    }

    @Test func `the diagnosis of a working keyring names its program, bus and default keyring`() async throws {
        try await PrivateKeyring.with { keyring in
            let diagnosis = await store(environment(keyring)).diagnose()
            #expect(diagnosis.problem == nil && diagnosis.advice == nil && diagnosis.command == nil)
            #expect(diagnosis.provider == "gnome-keyring-daemon")
            #expect(diagnosis.location == keyring.address)
            #expect(diagnosis.collection?.lowercased() == "login")
            #expect(diagnosis.isLocked == false)
            #expect(diagnosis.protection == .keyring)
            let left = try await keyring.itemCount()
            #expect(left == 0)
        }
    }

    @Test func `the diagnosis of a locked keyring names its program and the command that unlocks it`() async throws {
        try await PrivateKeyring.with { keyring in
            try await keyring.lock()
            let diagnosis = await store(environment(keyring)).diagnose()
            #expect(diagnosis.problem == SecureStoreError(.locked))
            #expect(diagnosis.isLocked == true)
            #expect(diagnosis.provider == "gnome-keyring-daemon")
            #expect(diagnosis.command?.contains("gnome-keyring-daemon --replace --unlock") == true)
        }
    }

    // Each command returns once the daemon runs in the background. The daemon takes its name on the bus only then.

    @Test func `the command for a locked keyring unlocks it, and its items are readable`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = store(environment(keyring))
            try await store.setItem(SecretBytes(text: "kept"), forKey: .session)
            try await keyring.lock()
            let command = try #require(await store.diagnose().command)
            let output = try await keyring.shell(command, input: "test-password\n")
            #expect(output.exitCode == 0)
            try await waitUntil("the keyring is there and open") { await store.diagnose().problem == nil }
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "kept"))
        }
    }

    @Test func `the command for a missing default keyring creates it`() async throws {
        try await PrivateKeyring.with(.withoutCollection) { keyring in
            let store = store(environment(keyring))
            let diagnosis = await store.diagnose()
            #expect(diagnosis.problem == SecureStoreError(.noCollection))
            let command = try #require(diagnosis.command)
            let output = try await keyring.shell(command, input: "test-password\n")
            #expect(output.exitCode == 0)
            try await waitUntil("the keyring is there and open") { await store.diagnose().problem == nil }
        }
    }

    @Test func `the command for a missing provider starts one`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = store(environment(keyring))
            try await keyring.kill()
            let diagnosis = await store.diagnose()
            #expect(diagnosis.problem == SecureStoreError(.noProvider))
            #expect(diagnosis.provider == nil && diagnosis.isLocked == nil)
            let command = try #require(diagnosis.command)
            let output = try await keyring.shell(command, input: "test-password\n")
            #expect(output.exitCode == 0)
            try await waitUntil("the keyring is there and open") { await store.diagnose().problem == nil }
        }
    }

    @Test func `the diagnosis of a daemon that hangs names it and the command that ends it`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = store(environment(keyring), deadline: .seconds(4))
            keyring.pause()
            let diagnosis = await store.diagnose()
            keyring.resume()
            #expect(diagnosis.problem == SecureStoreError(.timedOut))
            #expect(diagnosis.provider == "gnome-keyring-daemon")
            // The command ends the daemon that hangs, and no other program of that name.
            let command = try #require(diagnosis.command)
            #expect(command.wholeMatch(of: /kill -KILL [0-9]+/) != nil)
            let output = try await keyring.shell(command, input: "")
            #expect(output.exitCode == 0)
            try await keyring.start(.unlocked)
            #expect(await self.store(environment(keyring)).diagnose().problem == nil)
        }
    }

    @Test func `the diagnosis distinguishes a missing bus from one that does not respond`() async throws {
        let none = await store(KeyringEnvironment(busAddress: nil)).diagnose()
        #expect(none.problem == SecureStoreError(.noSessionBus) && none.location == nil)
        #expect(none.command == "dbus-run-session -- bash")
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let socket = folder.url.appendingPathComponent("mute")
        let mute = try UnixSocket.mute(at: socket)
        defer { withExtendedLifetime(mute) {} }
        let address = "unix:path=\(socket.path)"
        let muted = await store(KeyringEnvironment(busAddress: address), deadline: .milliseconds(300)).diagnose()
        #expect(muted.problem == SecureStoreError(.timedOut) && muted.location == address)
        #expect(muted.provider == nil && muted.command == "dbus-run-session -- bash")
    }

    @Test(arguments: [Sandbox.flatpak, .snap])
    func `a sandbox that hides the keyring is distinguished from a machine without one`(sandbox: Sandbox) async throws {
        try await PrivateKeyring.busWithoutProvider { bus in
            var environment = KeyringEnvironment(busAddress: bus.address, sandbox: sandbox)
            let store = store(environment)
            await #expect(throws: SecureStoreError(.sandboxed)) { try await store.item(forKey: .session) }
            let diagnosis = await store.diagnose()
            #expect(diagnosis.problem == SecureStoreError(.sandboxed) && diagnosis.command == sandbox.command)
            environment.sandbox = nil
            await #expect(throws: SecureStoreError(.noProvider)) {
                try await self.store(environment).item(forKey: .session)
            }
        }
    }

    @Test(.enabled(if: Executable.find("xdg-dbus-proxy") != nil, "needs xdg-dbus-proxy; Tests/run installs it"))
    func `Flatpak's proxy hides the keyring unless it allows access`() async throws {
        try await PrivateKeyring.with { keyring in
            try await keyring.store().setItem(SecretBytes(text: "kept"), forKey: .session)
            for isAllowed in [false, true] {
                let proxy = try await DBusProxy(
                    keyring.bus,
                    in: keyring.home,
                    talkingTo: isAllowed ? ["org.freedesktop.secrets"] : []
                )
                let store = store(KeyringEnvironment(busAddress: proxy.address, sandbox: .flatpak))
                if isAllowed {
                    #expect(try await store.item(forKey: .session) == SecretBytes(text: "kept"))
                } else {
                    await #expect(throws: SecureStoreError(.sandboxed)) { try await store.item(forKey: .session) }
                }
                await proxy.stop()
            }
        }
    }

    @Test func `a keyring without a password is reported as unencrypted`() async throws {
        try await PrivateKeyring.with(.inClear) { keyring in
            let store = store(environment(keyring))
            try await store.setItem(SecretBytes(text: "seen by all"), forKey: .session)
            #expect(!keyring.files(containing: Data("seen by all".utf8)).isEmpty)
            #expect(await store.protection == .unencryptedKeyring)
            #expect(await store.diagnose().protection == .unencryptedKeyring)
        }
    }
}

extension PrivateKeyring {
    /// Runs a command in a shell as a user would, with the copy of the installed daemon first in `PATH`.
    func shell(_ command: String, input: String) async throws -> Command.Output {
        var environment = environment
        environment["PATH"] = "\(programs.path):\(environment["PATH"] ?? "/usr/bin:/bin")"
        // A daemon started by the command must not inherit the descriptors that signal the end of the shell.
        let closing = "for f in /proc/self/fd/*; do [ ${f##*/} -lt 3 ] || eval \"exec ${f##*/}>&-\"; done"
        let script = "(\(closing)\n\(command)\n)\nexit $?"
        return try await Command("bash", ["-c", script], environment: environment, input: Data(input.utf8)).run()
    }
}
#endif
