// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import Testing

@testable import SecureStore

@Suite struct BusErrorTests {
    private static let bus = "org.freedesktop.DBus.Error"

    @Test(arguments: [
        ("org.freedesktop.Secret.Error.IsLocked", SecureStoreError.Code.locked),
        ("\(bus).ServiceUnknown", .noProvider),
        ("\(bus).NameHasNoOwner", .noProvider),
        ("\(bus).Spawn.ExecFailed", .noProvider),
        ("\(bus).NoReply", .timedOut),
        ("\(bus).Timeout", .timedOut),
        ("\(bus).TimedOut", .timedOut),
        ("\(bus).AccessDenied", .denied),
        ("\(bus).Disconnected", .noSessionBus),
        ("org.freedesktop.Secret.Error.NoSession", .failed),
        ("org.freedesktop.Secret.Error.NoSuchObject", .failed),
        ("\(bus).UnknownInterface", .failed),
        ("com.example.Unheard", .failed),
    ])
    func `the name of a D-Bus error determines the store error`(name: String, code: SecureStoreError.Code) {
        let error = BusError(remote: name).storeError
        #expect(error.code == code)
        #expect(error.detail == name)
    }

    @Test(arguments: [
        "\(bus).ServiceUnknown", "\(bus).NameHasNoOwner", "\(bus).NoReply", "\(bus).Disconnected",
        "org.freedesktop.Secret.Error.NoSession",
    ])
    func `an error caused by a restart of the bus or the daemon makes the connection stale`(name: String) {
        #expect(BusError(remote: name).isStale)
    }

    @Test(arguments: ["org.freedesktop.Secret.Error.IsLocked", "\(bus).Timeout", "\(bus).AccessDenied", "x.Other"])
    func `another error does not make the connection stale`(name: String) {
        #expect(!BusError(remote: name).isStale)
    }
}
#endif
