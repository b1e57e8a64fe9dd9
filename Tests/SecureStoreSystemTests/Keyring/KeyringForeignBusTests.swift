// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Glibc
import SecureStore
import Testing
import TestSupport

/// Buses that belong to another user or no longer exist.
@Suite(.needsScriptedKeyring) struct KeyringForeignBusTests {
    @Test func `a call throws noSessionBus after the bus is killed, even if its socket still exists`() async throws {
        try await PrivateKeyring.busWithoutProvider { bus in
            let socket = try Self.socket(of: bus.address)
            await bus.stop()
            #expect(FileManager.default.fileExists(atPath: socket.path))
            let store = KeyringStore(scope: try StoreScope(service: "com.example.tests"), busAddress: bus.address)
            await #expect(throws: SecureStoreError(.noSessionBus)) { try await store.item(forKey: .session) }
            await #expect(throws: SecureStoreError(.noSessionBus)) { try await store.removeItem(forKey: .session) }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs to become another user, which only root can"))
    func `a call on another user's bus throws noSessionBus and reads nothing`() async throws {
        try await ScriptedKeyring.with([ScriptedKeyring.item("theirs")]) { keyring in
            // The bus has to refuse access, not the folder that contains it.
            let folder = try Self.socket(of: keyring.address).deletingLastPathComponent()
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            let worker = folder.appendingPathComponent("StoreWorker")
            try await Executable.copy(StoreWorkerProcess.executable(), to: worker)
            let task = ["read-keyring", keyring.address, keyring.service]
            let own = try await Command(worker.path, task, environment: [:]).run()
            #expect(own.text == "something\ndone\n")
            let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", worker.path]
            let foreign = try await Command("setpriv", nobody + task, environment: [:]).run(timeout: .seconds(30))
            #expect(foreign.text == "noSessionBus\ndone\n")
            #expect(try await keyring.calls(of: "OpenSession") == 1, "that of the own user")
        }
    }

    /// Any user of the machine can bind the address of a bus that has ended.
    @Test(.enabled(if: geteuid() == 0, "needs to start a bus as another user, which only root can"))
    func `a bus that another user runs is refused, unless the app names it`() async throws {
        try await PrivateKeyring.busWithoutProvider(as: 65_534) { bus in
            let scope = try StoreScope(service: "com.example.tests")
            let environment = KeyringEnvironment(busAddress: bus.address)
            let store = KeyringStore(scope: scope, deadline: .seconds(60), environment: environment)
            await #expect(throws: SecureStoreError(.denied)) { try await store.item(forKey: .session) }
            let named = KeyringStore(scope: scope, deadline: .seconds(60), busAddress: bus.address)
            await #expect(throws: SecureStoreError(.noProvider)) { try await named.item(forKey: .session) }
        }
    }

    private static func socket(of address: String) throws -> URL {
        let path = try #require(address.firstMatch(of: /^unix:path=([^,]*)/)).1
        return URL(fileURLWithPath: String(path))
    }
}
#endif
