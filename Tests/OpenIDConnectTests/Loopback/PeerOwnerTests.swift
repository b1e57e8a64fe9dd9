// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Glibc
import TestSupport
import Testing

@testable import OpenIDConnect

/// The owner of the peer process, by the kernel's tables of TCP connections.
@Suite struct PeerOwnerTests {
    private static let peer = TCPEndpoint([127, 0, 0, 1], port: 40_000)
    private static let own = TCPEndpoint([127, 0, 0, 1], port: 8_080)
    private static let other = geteuid() + 1_234

    /// Returns a line of a table.
    private static func row(
        _ source: String,
        _ target: String,
        state: String = "01",
        user: uid_t = getuid(),
        inode: Int = 501_645
    ) -> String {
        """
         118: \(source) \(target) \(state) 00000000:00000000 00:00000000 00000000 \(user)        0 \(inode) 1 0 20 4 30 10 -1

        """
    }

    private static let header =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

    private static func owner(
        tcp: String?,
        tcp6: String? = "",
        kernel: String = "6.12.43+deb13-amd64\n"
    ) throws -> PeerOwner {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let tables = folder.url.appendingPathComponent("net")
        let names = folder.url.appendingPathComponent("sys/kernel")
        for folder in [tables, names] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try Data(kernel.utf8).write(to: names.appendingPathComponent("osrelease"))
        for (name, rows) in [("tcp", tcp), ("tcp6", tcp6)] {
            guard let rows else { continue }
            try Data((header + rows).utf8).write(to: tables.appendingPathComponent(name))
        }
        return PeerOwner(ofPeer: peer, at: own, in: folder.url.path)
    }

    @Test func `an address is formatted as in the kernel's tables`() {
        let isLittle = UInt16(littleEndian: 1) == 1
        #expect(Self.own.text == (isLittle ? "0100007F:1F90" : "7F000001:1F90"))
        #expect(Self.own.mapped.text.hasSuffix(Self.own.text))
        #expect(Self.own.mapped.text.hasPrefix(isLittle ? "0000000000000000FFFF0000" : "00000000000000000000FFFF"))
        let v6 = TCPEndpoint([UInt8](repeating: 0, count: 15) + [1], port: 80)
        #expect(
            v6.text == (isLittle ? "00000000000000000000000001000000:0050" : "00000000000000000000000000000001:0050")
        )
    }

    @Test func `this user and root are trusted`() throws {
        for user in [getuid(), 0] {
            #expect(try Self.owner(tcp: Self.row(Self.peer.text, Self.own.text, user: user)) == .trusted)
        }
    }

    @Test func `another user is not trusted`() throws {
        #expect(try Self.owner(tcp: Self.row(Self.peer.text, Self.own.text, user: Self.other)) == .untrusted)
    }

    /// The line of the listener's end names this user, and comes first.
    @Test func `each end of a connection is looked up by its own line`() throws {
        let rows = Self.row(Self.own.text, Self.peer.text) + Self.row(Self.peer.text, Self.own.text, user: Self.other)
        #expect(try Self.owner(tcp: rows) == .untrusted)
    }

    /// The kernel forgets the owner of a closed socket.
    @Test(arguments: ["04", "05", "06"])
    func `a closed socket has no owner and does not count as root's`(state: String) throws {
        let row = Self.row(Self.peer.text, Self.own.text, state: state, user: 0, inode: 0)
        #expect(try Self.owner(tcp: row + Self.row(Self.own.text, Self.peer.text)) == .untrusted)
    }

    @Test func `another user's IPv6 socket to an IPv4 address is found`() throws {
        let row = Self.row(Self.peer.mapped.text, Self.own.mapped.text, user: Self.other)
        #expect(try Self.owner(tcp: Self.row(Self.own.text, Self.peer.text), tcp6: row) == .untrusted)
    }

    /// The peer may be on Windows, outside the Linux subsystem.
    @Test(arguments: ["5.15.167.4-microsoft-standard-WSL2\n", "4.4.0-19041-Microsoft\n", "6.6.1-own-WSL2\n"])
    func `in WSL, a peer that this kernel does not list is trusted while the connection is open`(kernel: String) throws
    {
        #expect(try Self.owner(tcp: Self.row(Self.own.text, Self.peer.text), kernel: kernel) == .trusted)
        #expect(try Self.owner(tcp: Self.row(Self.own.text, Self.peer.text), tcp6: nil, kernel: kernel) == .trusted)
    }

    /// There the peer is a process that has hung up, or hides.
    @Test func `outside WSL, a peer that this kernel does not list is not trusted`() throws {
        #expect(try Self.owner(tcp: Self.row(Self.own.text, Self.peer.text)) == .untrusted)
        #expect(try Self.owner(tcp: Self.row(Self.own.text, Self.peer.text), tcp6: nil, kernel: "") == .untrusted)
    }

    /// A peer that broke the connection off has no line either.
    @Test(arguments: ["08", "07"])
    func `a peer that has closed the connection is not trusted`(state: String) throws {
        for kernel in ["6.12.43+deb13-amd64\n", "5.15.167.4-microsoft-standard-WSL2\n"] {
            let row = Self.row(Self.own.text, Self.peer.text, state: state)
            #expect(try Self.owner(tcp: row, kernel: kernel) == .untrusted)
            #expect(try Self.owner(tcp: "", kernel: kernel) == .untrusted)
        }
    }

    @Test func `the owner is unknown if the system has no tables`() throws {
        #expect(try Self.owner(tcp: nil, tcp6: nil) == .unknown)
    }

    @Test func `a line is found among thousands of others`() throws {
        let others = (1...3_000).map { Self.row(TCPEndpoint([127, 0, 0, 1], port: $0).text, Self.own.text) }.joined()
        let wanted = Self.row(Self.peer.text, Self.own.text, user: Self.other)
        #expect(try Self.owner(tcp: others + wanted + others) == .untrusted)
    }
}
#endif
