// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Glibc
import SecureStore
import Testing
import TestSupport

/// The effect of the environment on a store.
///
/// Each test runs in its own process, because all tests of a process share its environment.
@Suite(.needsKeyring) struct KeyringEnvironmentTests {
    @Test func `libsecret's test variables do not redirect a store`() async throws {
        try await PrivateKeyring.with { keyring in
            await #expect(processExitsWith: .success) { [address = keyring.address as String] in
                unsafe setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
                unsafe setenv("SECRET_SERVICE_BUS_NAME", "com.example.elsewhere", 1)
                unsafe setenv("SECRET_BACKEND", "file", 1)
                let store = try KeyringStore(service: "com.example.tests")
                try await store.setItem(SecretBytes(text: "not redirected"), forKey: .session)
            }
            let found = try await keyring.secretTool(["lookup"] + PrivateKeyring.attributes)
            #expect(found.text == "not redirected")
        }
    }

    @Test func `a store uses the runtime folder's bus if no address is set`() async throws {
        try await PrivateKeyring.with { keyring in
            // The address has the form unix:path=<socket>,guid=<number>.
            let socket = keyring.address.dropFirst("unix:path=".count).prefix { $0 != "," }
            await #expect(processExitsWith: .success) { [socket = String(socket) as String] in
                let folder = try TemporaryFolder()
                defer { folder.remove() }
                unsafe symlink(socket, folder.url.appendingPathComponent("bus").path)
                unsafe setenv("XDG_RUNTIME_DIR", folder.url.path, 1)
                unsafe unsetenv("DBUS_SESSION_BUS_ADDRESS")
                let store = try KeyringStore(service: "com.example.tests")
                try await store.setItem(SecretBytes(text: "by the runtime folder"), forKey: .session)
            }
            let found = try await keyring.secretTool(["lookup"] + PrivateKeyring.attributes)
            #expect(found.text == "by the runtime folder")
        }
    }

    @Test func `a store throws noSessionBus in an environment without a bus`() async throws {
        await #expect(processExitsWith: .success) {
            unsafe unsetenv("XDG_RUNTIME_DIR")
            unsafe unsetenv("DBUS_SESSION_BUS_ADDRESS")
            let store = try KeyringStore(service: "com.example.tests")
            await #expect(throws: SecureStoreError(.noSessionBus)) { try await store.item(forKey: .session) }
        }
    }
}
#endif
