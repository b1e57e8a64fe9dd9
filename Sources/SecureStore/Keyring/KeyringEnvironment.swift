// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import CSecretService

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The part of the process's environment that a keyring store reads once, when it is created.
package struct KeyringEnvironment: Sendable {
    /// The session bus's address; nil if the environment names no bus.
    package var busAddress: String?
    /// Whether the app named the bus itself, so that its address need not be a local socket.
    package var isBusNamed: Bool
    /// Whether this process runs in a sandbox (Flatpak, Snap) that hides or refuses the keyring without saying so.
    package var isSandboxed: Bool

    /// Creates an environment, for tests.
    package init(busAddress: String?, isBusNamed: Bool = false, isSandboxed: Bool = false) {
        (self.busAddress, self.isBusNamed, self.isSandboxed) = (busAddress, isBusNamed, isSandboxed)
    }

    /// Reads the environment of this process.
    ///
    /// Ignores libsecret's own variables (`SECRET_SERVICE_BUS_NAME`, `SECRET_BACKEND`). They are for its tests, and
    /// would let an environment redirect the user's secrets.
    static func ofProcess() -> KeyringEnvironment {
        KeyringEnvironment(busAddress: variable("DBUS_SESSION_BUS_ADDRESS") ?? runtimeBus, isSandboxed: isInSandbox)
    }

    /// Returns the environment of a bus that the app names.
    package static func named(_ busAddress: String) -> KeyringEnvironment {
        KeyringEnvironment(busAddress: busAddress, isBusNamed: true, isSandboxed: isInSandbox)
    }

    /// Connects to the bus, which must be this user's on this machine unless the app named it.
    ///
    /// - Throws: ``SecureStoreError`` (`noSessionBus` if the environment names no bus on this machine, or the bus
    ///   can't be reached; `denied` if it is another user's; `timedOut`).
    func connect(before deadline: CallDeadline) throws(SecureStoreError) -> SessionBus {
        guard let busAddress else { throw SecureStoreError(.noSessionBus) }
        guard isBusNamed || Self.isLocal(busAddress) else {
            throw SecureStoreError(.noSessionBus, detail: "not a local socket")
        }
        let bus = try SessionBus(address: busAddress, deadline: deadline)
        guard isBusNamed || bus.isOwn else { throw SecureStoreError(.denied, detail: "a session bus of another user") }
        return bus
    }

    /// Runs work, and throws `sandboxed` in place of an error that a sandbox causes.
    func inSandbox<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as SecureStoreError where isSandboxed && [.noProvider, .denied].contains(error.code) {
            throw SecureStoreError(.sandboxed, detail: error.detail)
        }
    }

    /// Returns whether an address leads to sockets of this machine only.
    ///
    /// D-Bus knows transports that lead to another machine or start a program, for example `tcp` and `unixexec`. An
    /// address may list several transports, of which the first that works is used.
    static func isLocal(_ address: String) -> Bool {
        address.split(separator: ";", omittingEmptySubsequences: false).allSatisfy { $0.hasPrefix("unix:") }
    }

    private static var runtimeBus: String? {
        guard let folder = variable("XDG_RUNTIME_DIR"), let escaped = unsafe g_dbus_address_escape_value(folder) else {
            return nil
        }
        defer { unsafe g_free(escaped) }
        return unsafe "unix:path=\(String(cString: escaped))/bus"
    }

    private static var isInSandbox: Bool {
        if unsafe access("/.flatpak-info", F_OK) == 0 { return true }
        return variable("SNAP") != nil && variable("SNAP_NAME") != nil
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe g_getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
#endif
