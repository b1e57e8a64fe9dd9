// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
internal import CSecretService

/// The address of the user's session bus.
enum BusAddress {
    /// Returns the address by the rules of the D-Bus specification.
    ///
    /// Ignores libsecret's own variables (`SECRET_SERVICE_BUS_NAME`, `SECRET_BACKEND`). They are for its tests, and
    /// would let an environment redirect the user's secrets.
    ///
    /// - Returns: A D-Bus address, or nil if the environment names no bus.
    static func fromEnvironment() -> String? {
        if let address = variable("DBUS_SESSION_BUS_ADDRESS") { return address }
        guard let folder = variable("XDG_RUNTIME_DIR"), let escaped = unsafe g_dbus_address_escape_value(folder) else {
            return nil
        }
        defer { unsafe g_free(escaped) }
        return unsafe "unix:path=\(String(cString: escaped))/bus"
    }

    /// Returns whether an address leads to sockets of this machine only.
    ///
    /// D-Bus knows transports that lead to another machine or start a program, for example `tcp` and `unixexec`. An
    /// address may list several transports, of which the first that works is used.
    static func isLocal(_ address: String) -> Bool {
        address.split(separator: ";", omittingEmptySubsequences: false).allSatisfy { $0.hasPrefix("unix:") }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe g_getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
#endif
