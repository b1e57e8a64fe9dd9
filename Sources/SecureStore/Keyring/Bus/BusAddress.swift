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

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe g_getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
#endif
