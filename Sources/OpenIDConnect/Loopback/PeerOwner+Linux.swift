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
    /// Another user of the machine can read the address that a browser is started with, and be faster than the browser.
    ///
    /// - Parameters:
    ///   - peer: The other end's address.
    ///   - own: This end's address.
    init(ofPeer peer: SocketAddress?, at own: SocketAddress?) {
        // NIO has no address of a peer that was gone before it asked.
        guard let peer = peer.flatMap({ TCPEndpoint($0) }), let own = own.flatMap({ TCPEndpoint($0) }) else {
            self = .untrusted
            return
        }
        self.init(ofPeer: peer, at: own, tablesIn: "/proc/net")
    }

    /// Looks up the owner in tables of the kernel's form.
    init(ofPeer peer: TCPEndpoint, at own: TCPEndpoint, tablesIn folder: String) {
        do throws(TCPTable.Unreadable) {
            if let row = try Self.row(from: peer, to: own, in: folder) {
                self = Self.isTrusted(row) ? .trusted : .untrusted
                return
            }
            // The connection is up, but its other end is not this kernel's: WSL's Windows, for one, in its mirrored mode.
            // A peer of this kernel that hung up between the two looks has left this end in another state.
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
            // A socket of IPv6 reaches 127.0.0.1 too, by its mapped address.
            return try TCPTable(path: folder + "/tcp6").row(from: source.mappedText, to: target.mappedText)
        } catch {
            // A kernel without IPv6 has no such table, and no such socket.
            guard error.isForbidden else { throw error }
            return nil
        }
    }

    /// Whether a socket is this user's or root's, who could read this process's memory as well.
    private static func isTrusted(_ row: TCPTable.Row) -> Bool {
        // The kernel writes 0 and 0 for a socket that its process has closed, whoever that was.
        guard row.user != 0 || row.inode != 0 else { return false }
        return [0, getuid(), geteuid()].contains(row.user)
    }
}
#endif
