// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Dispatch
import SecureStore
import Security
import Testing

extension KeychainTests {
    /// The keychain's failures; none of them is taken for "absent".
    @Suite struct KeychainFailureTests {
        @Test func `a call throws locked before the first unlock, and the item is readable afterwards`() async throws {
            let fixture = try KeychainFixture()
            try await fixture.store.setItem(fixture.item, forKey: fixture.key)
            fixture.keychain.setDevice(.neverUnlocked)
            #expect(await storeCode { try await fixture.store.item(forKey: fixture.key) } == .locked)
            #expect(await storeCode { try await fixture.store.setItem(fixture.item, forKey: fixture.key) } == .locked)
            #expect(await storeCode { try await fixture.store.probe() } == .locked)
            fixture.keychain.setDevice(.locked)
            #expect(try await fixture.store.item(forKey: fixture.key) == fixture.item)
        }

        @Test func `an item for an unlocked device throws locked while the device is locked`() async throws {
            let fixture = try KeychainFixture(accessibility: .whenUnlockedThisDeviceOnly)
            try await fixture.store.setItem(fixture.item, forKey: fixture.key)
            fixture.keychain.setDevice(.locked)
            #expect(await storeCode { try await fixture.store.item(forKey: fixture.key) } == .locked)
            fixture.keychain.setDevice(.unlocked)
            #expect(try await fixture.store.item(forKey: fixture.key) == fixture.item)
        }

        @Test func `a write that requires a passcode fails on a device without one`() async throws {
            let fixture = try KeychainFixture(accessibility: .whenPasscodeSetThisDeviceOnly)
            fixture.keychain.setPasscode(false)
            let result = await storeCode { try await fixture.store.setItem(fixture.item, forKey: fixture.key) }
            #expect(result == .noProvider)
            #expect(try await fixture.store.item(forKey: fixture.key) == nil)
        }

        @Test func `a call throws denied if the app has no entitlement for the group`() async throws {
            let fixture = try KeychainFixture(accessGroup: "of somebody else")
            #expect(await storeCode { try await fixture.store.item(forKey: fixture.key) } == .denied)
            let written = await storeCode { try await fixture.store.setItem(fixture.item, forKey: fixture.key) }
            #expect(written == .denied)
        }

        @Test(arguments: [
            (errSecInteractionNotAllowed, SecureStoreError.Code.locked),
            (-25_320, .locked),
            (errSecMissingEntitlement, .denied),
            (errSecAuthFailed, .denied),
            (errSecNotAvailable, .noProvider),
            (errSecUserCanceled, .promptDismissed),
            (errSecDiskFull, .full),
            (errSecDecode, .damaged),
            (errSecParam, .failed),
            (-1, .failed),
        ])
        func `every status maps to its error in every call`(
            status: OSStatus,
            expected: SecureStoreError.Code
        ) async throws {
            let fixture = try KeychainFixture()
            try await fixture.store.setItem(fixture.item, forKey: fixture.key)
            for call in [StandInKeychain.Call.add, .copy, .delete] { fixture.keychain.fail(call, with: status) }
            #expect(await storeCode { try await fixture.store.item(forKey: fixture.key) } == expected)
            #expect(await storeCode { try await fixture.store.setItem(fixture.item, forKey: fixture.key) } == expected)
            #expect(await storeCode { try await fixture.store.removeItem(forKey: fixture.key) } == expected)
            fixture.keychain.fail(.add, with: nil)
            fixture.keychain.fail(.update, with: status)
            #expect(await storeCode { try await fixture.store.setItem(fixture.item, forKey: fixture.key) } == expected)
        }

        @Test func `an error contains the status, but neither the item nor the key`() async throws {
            let fixture = try KeychainFixture()
            fixture.keychain.fail(.copy, with: errSecParam)
            let error = await #expect(throws: SecureStoreError.self) {
                try await fixture.store.item(forKey: fixture.key)
            }
            #expect(error?.detail == "OSStatus -50")
        }

        @Test func `an unsigned app is told what to do`() async throws {
            let fixture = try KeychainFixture()
            fixture.keychain.fail(.copy, with: errSecMissingEntitlement)
            let error = await #expect(throws: SecureStoreError(.denied)) {
                try await fixture.store.item(forKey: fixture.key)
            }
            #expect(
                error?.description
                    == """
                    The store refused this program (OSStatus -34018; its developer must sign it with the entitlement \
                    keychain-access-groups).
                    """
            )
        }

        @Test func `a call times out if the keychain does not respond`() async throws {
            let fixture = try KeychainFixture()
            let store = KeychainStore(scope: fixture.store.scope, deadline: .milliseconds(50))
            let gate = DispatchSemaphore(value: 0)
            fixture.keychain.before(.copy) { gate.wait() }
            #expect(await storeCode { try await store.item(forKey: fixture.key) } == .timedOut)
            gate.signal()
        }
    }
}
