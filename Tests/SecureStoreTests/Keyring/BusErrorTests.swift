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
        ("com.example.Unheard", .failed),
    ])
    func `a remote error is told by its name`(name: String, code: SecureStoreError.Code) {
        let error = BusError(remote: name).storeError
        #expect(error.code == code)
        #expect(error.detail == name)
    }

    @Test(arguments: [
        "\(bus).ServiceUnknown", "\(bus).NameHasNoOwner", "\(bus).NoReply", "\(bus).Disconnected",
        "org.freedesktop.Secret.Error.NoSession",
    ])
    func `a restart of the bus or the daemon is worth a new connection`(name: String) {
        #expect(BusError(remote: name).isStale)
    }

    @Test(arguments: ["org.freedesktop.Secret.Error.IsLocked", "\(bus).Timeout", "\(bus).AccessDenied", "x.Other"])
    func `nothing else is tried again`(name: String) {
        #expect(!BusError(remote: name).isStale)
    }
}
#endif
