// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import AuthCore
import CSecretService

/// A connection to the Secret Service, with a session in which secrets cross the bus encrypted.
///
/// libsecret agrees on the key with the service (Diffie-Hellman) and encrypts each secret with AES. So no other program
/// that watches the bus can read one. The session is `plain` only if the service offers nothing else.
///
/// [Secret Service API, transfer of secrets](https://specifications.freedesktop.org/secret-service-spec/latest/transfer-secrets.html).
@safe
final class SecretSession {
    /// Also kept until the service has released the connection.
    let bus: SessionBus
    /// The process that owned the service's name when the session was opened.
    let owner: String
    /// The session's object, which a call for a secret names.
    let path: ObjectPath
    private let service: UnsafeMutablePointer<CSecretService.SecretService>

    static let root = ObjectPath(text: "/org/freedesktop/secrets")
    private static let type = sallyport_register_service()

    /// Finds the service, starting it if the bus can, and opens a session; shows no prompt.
    ///
    /// libsecret waits for 25 seconds; cancelling the deadline ends the wait earlier.
    ///
    /// - Throws: ``BusError``; ``SecureStoreError`` (`noProvider`, `timedOut`).
    init(on bus: SessionBus, before deadline: CallDeadline) throws {
        let owner: String
        do {
            owner = try bus.owner(of: "org.freedesktop.secrets", before: deadline)
        } catch let fault as BusError where fault.kind == .goneProvider {
            // Not a stale connection: there is no service, and another connection would not find one either.
            throw fault.storeError
        }
        _ = try deadline.remainingMilliseconds()
        (self.bus, self.owner) = (bus, owner)
        var error: UnsafeMutablePointer<GError>?
        let created = unsafe bus.receivingNotices {
            unsafe sallyport_new_service(Self.type, bus.connection, owner, Self.root.text, &error)
        }
        guard let service = unsafe created else { throw unsafe BusError(taking: error) }
        unsafe self.service = service
        let isOpen = unsafe secret_service_ensure_session_sync(service, deadline.cancellable, &error) != 0
        let opened = unsafe isOpen ? secret_service_get_session_dbus_path(service) : nil
        guard let opened = unsafe opened else {
            // The other properties have no value yet, so `deinit` does not run.
            unsafe g_object_unref(service)
            throw unsafe BusError(taking: error)
        }
        path = unsafe ObjectPath(text: String(cString: opened))
    }

    deinit {
        unsafe g_object_unref(service)
    }

    /// Encodes a secret as the `(oayays)` of a call.
    ///
    /// Its type is `text/plain` if it is UTF-8, because providers lose or mangle other types. Otherwise it is
    /// `application/octet-stream`, because KeePassXC replaces invalid UTF-8 in a text.
    func encode(_ secret: SecretBytes) -> Variant {
        let value = unsafe secret.withUnsafeBytes { bytes in
            let type = unsafe Self.isText(bytes) ? "text/plain" : "application/octet-stream"
            // A copy in memory that is not swapped.
            let text = unsafe bytes.baseAddress?.assumingMemoryBound(to: gchar.self)
            return unsafe secret_value_new(text, gssize(bytes.count), type)
        }
        defer { unsafe secret_value_unref(gpointer(value)) }
        return unsafe Variant(taking: secret_service_encode_dbus_secret(service, value))
    }

    /// Decodes the `(oayays)` of a reply; returns nil if it is not encoded for this session.
    func decode(_ encoded: Variant) -> SecretBytes? {
        guard encoded.isOf(type: "(oayays)") else { return nil }
        guard let value = unsafe secret_service_decode_dbus_secret(service, encoded.pointer) else { return nil }
        defer { unsafe secret_value_unref(gpointer(value)) }
        var count: gsize = 0
        guard let bytes = unsafe secret_value_get(value, &count) else { return SecretBytes([]) }
        return unsafe SecretBytes(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    /// Returns whether bytes are UTF-8, without a copy of them.
    private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var decoder = UTF8()
        var rest = unsafe bytes.makeIterator()
        while true {
            switch unsafe decoder.decode(&rest) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}
#endif
