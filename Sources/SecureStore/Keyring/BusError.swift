// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import CSecretService

/// A failed D-Bus call, classified by error domain, code and remote name.
///
/// The error's text is localised and never read.
struct BusError: Error {
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
    /// Whether the call was a write of an item, which the keyring may have made before its reply was lost.
    var mayHaveWritten = false

    /// Creates a fault from the name that a service on the bus gave its error.
    init(remote name: String) {
        (kind, self.name) = (Self.kind(ofRemote: name), name)
    }

    /// Creates a fault for a reply that does not match the interface.
    init(unexpectedReplyOf method: String) {
        (kind, name) = (.other, "unexpected reply to \(method)")
    }

    private init(_ kind: Kind, _ name: String) {
        (self.kind, self.name) = (kind, name)
    }

    /// A concurrent modification of what was searched; the work has to begin again.
    static let concurrentModification = BusError(.vanishedObject, "concurrent change")

    /// Takes ownership of an error and frees it.
    init(taking error: UnsafeMutablePointer<GError>?) {
        guard let error = unsafe error else {
            self.init(.other, "unknown")
            return
        }
        defer { unsafe g_error_free(error) }
        if let remote = unsafe Self.remoteName(of: error) {
            self.init(remote: remote)
        } else {
            let domain = unsafe g_quark_to_string(error.pointee.domain).map { unsafe String(cString: $0) } ?? "unknown"
            let isLocal = unsafe error.pointee.domain == g_io_error_quark()
            let kind = isLocal ? unsafe Self.kind(ofLocal: error.pointee.code) : .other
            unsafe self.init(kind, "\(domain)/\(error.pointee.code)")
        }
    }

    /// Returns the name that a remote error has on the bus; nil for a local one.
    private static func remoteName(of error: UnsafeMutablePointer<GError>) -> String? {
        var name = unsafe g_dbus_error_get_remote_error(error)
        if unsafe name == nil, unsafe error.pointee.domain == g_dbus_error_quark() {
            // libsecret has removed the name from the error, but the code still stands for it.
            unsafe name = g_dbus_error_encode_gerror(error)
        }
        guard let name = unsafe name else { return nil }
        defer { unsafe g_free(name) }
        return unsafe String(cString: name)
    }

    /// Whether the call may succeed on a new connection and session.
    var isStale: Bool { [.deadConnection, .goneProvider, .diedInCall, .staleSession].contains(kind) }

    /// The error for a caller of the store.
    var storeError: SecureStoreError {
        let code: SecureStoreError.Code =
            switch kind {
            case .deadConnection: .noSessionBus
            case .goneProvider: .noProvider
            case .diedInCall, .timedOut: .timedOut
            case .locked: .locked
            case .denied: .denied
            case .staleSession, .vanishedObject, .other: .failed
            }
        return SecureStoreError(code, detail: name)
    }

    /// The error for a caller if one of the first calls on a connection failed.
    ///
    /// Apart from a timeout, any failure there means that the bus can't be reached.
    var connectError: SecureStoreError {
        SecureStoreError(kind == .timedOut ? .timedOut : .noSessionBus, detail: name)
    }

    private static func kind(ofRemote name: String) -> Kind {
        switch name {
        case "org.freedesktop.Secret.Error.IsLocked": .locked
        case "org.freedesktop.Secret.Error.NoSession": .staleSession
        // gnome-keyring and KeePassXC report "unknown method" for an object that is gone.
        case "org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownInterface", "org.freedesktop.DBus.Error.UnknownMethod":
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
        // Cancelled: the deadline or the caller ended the call.
        case G_IO_ERROR_TIMED_OUT, G_IO_ERROR_CANCELLED: .timedOut
        case G_IO_ERROR_CLOSED, G_IO_ERROR_BROKEN_PIPE: .deadConnection
        default: .other
        }
    }
}
#endif
