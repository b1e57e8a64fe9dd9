#if Keyring && canImport(CSecretService)
internal import CSecretService

/// A D-Bus call that failed, told by error domain, code and remote name.
///
/// Texts are localised and never looked at.
struct BusFault: Error {
    enum Kind {
        case deadConnection
        case goneProvider
        case diedInCall
        case staleSession
        case vanishedObject
        case locked
        case timedOut
        case denied
        case other
    }

    let kind: Kind
    /// The remote error's name, or `domain/code` of a local one.
    let name: String

    /// Takes an error over and frees it.
    init(taking error: UnsafeMutablePointer<GError>?) {
        guard let error = unsafe error else {
            kind = .other
            name = "unknown"
            return
        }
        defer { unsafe g_error_free(error) }
        if let remote = unsafe g_dbus_error_get_remote_error(error) {
            defer { unsafe g_free(remote) }
            name = unsafe String(cString: remote)
            kind = Self.kind(ofRemote: name)
        } else {
            let domain = unsafe g_quark_to_string(error.pointee.domain).map { unsafe String(cString: $0) } ?? "unknown"
            name = unsafe "\(domain)/\(error.pointee.code)"
            let isLocal = unsafe error.pointee.domain == g_io_error_quark()
            kind = isLocal ? unsafe Self.kind(ofLocal: error.pointee.code) : .other
        }
    }

    /// An error as a service on the bus names it.
    init(remote name: String) {
        kind = Self.kind(ofRemote: name)
        self.name = name
    }

    /// A reply that is not what the interface promises.
    init(unexpectedReplyOf method: String) {
        kind = .other
        name = "unexpected reply of \(method)"
    }

    /// What was looked at has been replaced meanwhile: the work is to be begun again.
    static let changedMeanwhile = BusFault(kind: .vanishedObject, name: "changed meanwhile")

    private init(kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    /// Whether a new connection and session may mend it.
    var isStale: Bool {
        switch kind {
        case .deadConnection, .goneProvider, .diedInCall, .staleSession: true
        default: false
        }
    }

    /// What a caller of the store is told.
    var storeError: SecureStoreError {
        switch kind {
        case .deadConnection: SecureStoreError(.noSessionBus, detail: name)
        case .goneProvider: SecureStoreError(.noProvider, detail: name)
        case .diedInCall, .timedOut: SecureStoreError(.timedOut, detail: name)
        case .locked: SecureStoreError(.locked, detail: name)
        case .denied: SecureStoreError(.denied, detail: name)
        case .staleSession, .vanishedObject, .other: SecureStoreError(.failed, detail: name)
        }
    }

    /// The same, for the first calls on a connection: whatever else went wrong there, the bus could not be reached.
    var connectError: SecureStoreError {
        switch kind {
        case .timedOut: SecureStoreError(.timedOut, detail: name)
        default: SecureStoreError(.noSessionBus, detail: name)
        }
    }

    private static func kind(ofRemote name: String) -> Kind {
        switch name {
        case "org.freedesktop.Secret.Error.IsLocked": .locked
        case "org.freedesktop.Secret.Error.NoSession": .staleSession
        // gnome-keyring and KeePassXC say "unknown method" of an object that is gone.
        case "org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownMethod":
            .vanishedObject
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner": .goneProvider
        case _ where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."): .goneProvider
        case "org.freedesktop.DBus.Error.NoReply": .diedInCall
        case "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut": .timedOut
        case "org.freedesktop.DBus.Error.Disconnected": .deadConnection
        case "org.freedesktop.DBus.Error.AccessDenied": .denied
        default: .other
        }
    }

    private static func kind(ofLocal code: gint) -> Kind {
        switch GIOErrorEnum(rawValue: GIOErrorEnum.RawValue(code)) {
        // Cancelled: our own deadline or caller ended the call.
        case G_IO_ERROR_TIMED_OUT, G_IO_ERROR_CANCELLED: .timedOut
        case G_IO_ERROR_CLOSED, G_IO_ERROR_BROKEN_PIPE: .deadConnection
        default: .other
        }
    }
}
#endif
