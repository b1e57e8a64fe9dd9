// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import AuthCore

/// The owner of the process at the other end of a connection, as far as the system tells.
enum PeerOwner: Sendable {
    /// This user, root, which can read this process's memory anyway, or a process of Windows around WSL.
    case trusted
    /// Another user, or a process that has hung up: the system doesn't reliably name the user of a closed socket.
    case untrusted
    /// An unknown owner: this process is confined and can't read the tables of connections.
    case unknown
    /// An unknown owner: the system has no tables of connections that every process can read.
    case unsupported
}

/// An IPv4 or IPv6 address and a port.
struct TCPEndpoint {
    let address: [UInt8]
    let port: Int

    init(_ address: [UInt8], port: Int) { (self.address, self.port) = (address, port) }
}

#if os(macOS)
extension PeerOwner {
    init(ofPeer peer: TCPEndpoint, at own: TCPEndpoint) { self = .unsupported }
}
#else
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The kernel's tables of TCP connections, one socket per line
/// ([proc_pid_net(5)](https://man7.org/linux/man-pages/man5/proc_pid_net.5.html)).
extension PeerOwner {
    private struct Unreadable: Error {
        /// Whether the system denies this process the table, as opposed to a temporary failure.
        let isForbidden = [ENOENT, EACCES, EPERM, ENOTDIR].contains(errno)
    }

    /// Looks up the owner of a remote address; tests have files of their own in place of `/proc`.
    ///
    /// Another user of the machine can read the URL that a browser is started with, and connect before the browser.
    init(ofPeer peer: TCPEndpoint, at own: TCPEndpoint, in proc: String = "/proc") {
        do throws(Unreadable) {
            let row = try Self.row(peer, own, proc)
            if !row.isEmpty {
                // The kernel writes user 0 and inode 0 for a socket that its process has closed, whatever its owner.
                let isOpen = row[7] != "0" || row[9] != "0"
                self = isOpen && ["0", "\(getuid())", "\(geteuid())"].contains(row[7]) ? .trusted : .untrusted
                return
            }
            // In WSL's mirrored mode the other end is on Windows, in none of this kernel's tables, while the connection
            // is established. If a local peer hung up between the two lookups, this end is in another state.
            let isUp = try Self.row(own, peer, proc).dropFirst(3).first == "01"
            let isHere = try !Self.row(peer, own, proc).isEmpty
            // Microsoft's kernels have its name, and those that users build usually say WSL.
            let release = try? Self.line(of: proc + "/sys/kernel/osrelease", with: "").lowercased()
            let isWSL = release?.contains("microsoft") == true || release?.contains("wsl") == true
            self = isUp && !isHere && isWSL ? .trusted : .untrusted
        } catch {
            self = error.isForbidden ? .unknown : .untrusted
        }
    }

    /// Reads a line `sl: source target st queues timer retrnsmt uid timeout inode ...`; empty if there is none.
    private static func row(_ source: TCPEndpoint, _ target: TCPEndpoint, _ proc: String) throws(Unreadable)
        -> [Substring]
    {
        var line = ""
        if source.isV4 { line = try Self.line(of: proc + "/net/tcp", with: ": \(source.text) \(target.text) ") }
        // An IPv6 socket can reach 127.0.0.1, too. A kernel without IPv6 has neither this table nor such sockets.
        let table = proc + "/net/tcp6"
        if line.isEmpty, unsafe !source.isV4 || access(table, R_OK) == 0 {
            line = try Self.line(of: table, with: ": \(source.mapped.text) \(target.mapped.text) ")
        }
        let fields = line.split(separator: " ")
        return fields.count > 9 ? fields : []
    }

    /// Returns a file's first line with a text; empty if there is none.
    private static func line(of path: String, with text: String) throws(Unreadable) -> String {
        guard let file = unsafe fopen(path, "re") else { throw Unreadable() }
        defer { unsafe fclose(file) }
        // The kernel's lines have fewer than 200 bytes.
        var line = [CChar](repeating: 0, count: 512)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            guard unsafe strstr(line, text) != nil else { continue }
            return String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        if unsafe ferror(file) != 0 { throw Unreadable() }
        return ""
    }
}

extension TCPEndpoint {
    var isV4: Bool { address.count == 4 }
    /// The same endpoint in IPv6; an IPv4 address is mapped, as in `::ffff:127.0.0.1`.
    var mapped: TCPEndpoint {
        isV4 ? TCPEndpoint([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + address, port: port) : self
    }
    /// The format of the tables, such as `0100007F:1F90` for 127.0.0.1 and port 8080 on a little-endian machine.
    var text: String {
        // Each four bytes are a number in this machine's byte order.
        let swap = UInt16(littleEndian: 1) == 1 ? 3 : 0
        let words = Hexadecimal.encode(address.indices.map { address[$0 ^ swap] })
        return "\(words):\(Hexadecimal.encode([UInt8(port >> 8), UInt8(port & 0xFF)]))".uppercased()
    }
}
#endif
#endif
