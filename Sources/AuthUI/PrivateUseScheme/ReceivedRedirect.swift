// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
public import AuthCore
import Synchronization

/// An address that the app was opened with, delivered by the process that the system started for it.
///
/// That process waits until the redirect is accepted or declined. A redirect that is released is declined.
public final class ReceivedRedirect: Redacted, Sendable {
    /// The byte that reports an accepted address: ASCII's ACK.
    static let acceptance: UInt8 = 0x06
    /// The byte that reports a declined address: ASCII's NAK.
    static let refusal: UInt8 = 0x15

    /// The address, which has the app's scheme.
    ///
    /// Untrusted: every process of this user can deliver an address. May contain an authorization code: not for logs.
    public let address: String
    private let connection: Mutex<LocalSocket?>

    init(_ address: String, _ connection: LocalSocket) {
        self.address = address
        self.connection = Mutex(connection)
    }

    deinit { decline() }

    /// Reports that this process completes the sign-in with the address.
    ///
    /// To be called before the address is used, which may take long.
    ///
    /// - Returns: Whether the other process was told. If false, it has given up and completes the sign-in itself, so this
    ///   process must not.
    public func accept() -> Bool { reply(Self.acceptance) }

    /// Reports that the address belongs to no sign-in of this process.
    public func decline() { _ = reply(Self.refusal) }

    /// Replies once.
    private func reply(_ byte: UInt8) -> Bool {
        let connection = connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
        return connection?.send([byte]) ?? false
    }
}
#endif
