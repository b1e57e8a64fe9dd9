// SPDX-License-Identifier: Apache-2.0

#if LoopbackRedirect && os(Linux)
import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension PeerOwner {
    /// Looks up the owner in the kernel's tables of TCP connections.
    ///
    /// Another user of the machine can read the URL that a browser is started with, and connect before the browser.
    ///
    /// - Parameters:
    ///   - peer: The remote address.
    ///   - own: The local address.
    init(ofPeer peer: SocketAddress?, at own: SocketAddress?) {
        // NIO has no address of a peer that disconnected before NIO asked for it.
        guard let peer = peer.flatMap({ TCPEndpoint($0) }), let own = own.flatMap({ TCPEndpoint($0) }) else {
            self = .untrusted
            return
        }
        self.init(ofPeer: peer, at: own, tablesIn: "/proc/net")
    }

    /// Looks up the owner in the tables of a folder, in the kernel's format.
    init(ofPeer peer: TCPEndpoint, at own: TCPEndpoint, tablesIn folder: String) {
        do throws(TCPTable.Unreadable) {
            if let row = try Self.row(from: peer, to: own, in: folder) {
                self = Self.isTrusted(row) ? .trusted : .untrusted
                return
            }
            // The connection is established, but its other end is not in this kernel's tables, as with Windows under
            // WSL in mirrored mode. If a local peer hung up between the two lookups, this end is in another state.
            let isUp = try Self.row(from: own, to: peer, in: folder)?.isEstablished ?? false
            let isHere = try Self.row(from: peer, to: own, in: folder) != nil
            self = isUp && !isHere ? .trusted : .untrusted
        } catch {
            self = error.isForbidden ? .unknown : .untrusted
        }
    }

    private static func row(
        from source: TCPEndpoint,
        to target: TCPEndpoint,
        in folder: String
    ) throws(TCPTable.Unreadable) -> TCPTable.Row? {
        guard source.isV4 else { return try TCPTable(path: folder + "/tcp6").row(from: source.text, to: target.text) }
        let row = try TCPTable(path: folder + "/tcp").row(from: source.text, to: target.text)
        if let row { return row }
        do throws(TCPTable.Unreadable) {
            // An IPv6 socket can reach 127.0.0.1, too, by its mapped address.
            return try TCPTable(path: folder + "/tcp6").row(from: source.mappedText, to: target.mappedText)
        } catch {
            // A kernel without IPv6 has neither this table nor such sockets.
            guard error.isForbidden else { throw error }
            return nil
        }
    }

    /// Returns whether a socket belongs to this user or to root.
    private static func isTrusted(_ row: TCPTable.Row) -> Bool {
        // The kernel writes user 0 and inode 0 for a socket that its process has closed, whatever its owner.
        guard row.user != 0 || row.inode != 0 else { return false }
        return [0, getuid(), geteuid()].contains(row.user)
    }
}
#endif
