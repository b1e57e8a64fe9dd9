// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore

@Suite(.needsKeyring) struct KeyringSandboxTests {
    private func store(_ environment: KeyringEnvironment) throws -> KeyringStore {
        let scope = try StoreScope(service: "com.example.tests")
        return KeyringStore(scope: scope, deadline: .seconds(60), environment: environment)
    }

    @Test func `a sandbox that hides the keyring is distinguished from a machine without one`() async throws {
        try await PrivateKeyring.busWithoutProvider { bus in
            var environment = KeyringEnvironment(busAddress: bus.address, isSandboxed: true)
            let store = try store(environment)
            await #expect(throws: SecureStoreError(.sandboxed)) { try await store.item(forKey: .session) }
            environment.isSandboxed = false
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
                let store = try store(KeyringEnvironment(busAddress: proxy.address, isSandboxed: true))
                if isAllowed {
                    #expect(try await store.item(forKey: .session) == SecretBytes(text: "kept"))
                } else {
                    await #expect(throws: SecureStoreError(.sandboxed)) { try await store.item(forKey: .session) }
                }
                await proxy.stop()
            }
        }
    }
}
#endif
