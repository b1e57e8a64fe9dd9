#if LoopbackRedirect && os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The kernel's table of TCP connections, one socket a line.
///
/// [proc_pid_net(5)](https://man7.org/linux/man-pages/man5/proc_pid_net.5.html).
struct TCPTable {
    /// A socket.
    struct Row: Equatable {
        let isEstablished: Bool
        /// The effective user that made the socket; 0 also for some that are closed.
        let user: uid_t
        /// 0 for a socket that its process has closed.
        let inode: UInt64
    }

    /// The reason that a table could not be read.
    struct Unreadable: Error {
        let code: Int32

        /// Whether the system does not let this process read it, as against a fault of the moment.
        var isForbidden: Bool { [ENOENT, EACCES, EPERM, ENOTDIR].contains(code) }
    }

    let path: String

    /// Finds the socket at one end of a connection.
    ///
    /// - Parameters:
    ///   - source: The socket's own address, as the table writes it.
    ///   - target: The address that it is connected to.
    /// - Returns: The socket; nil if the table has no such line.
    /// - Throws: ``Unreadable``.
    func row(from source: String, to target: String) throws(Unreadable) -> Row? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Unreadable(code: errno) }
        defer { close(file) }
        let wanted = Array("\(source) \(target) ".utf8)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var rest: [UInt8] = []
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Unreadable(code: errno) }
            guard count > 0 else { return nil }
            rest += chunk[..<count]
            var start = 0
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                if let row = Self.row(rest[start..<end], wanted) { return row }
                start = end + 1
            }
            rest.removeFirst(start)
        }
    }

    /// Reads a line, `sl: source target st queues timer retrnsmt uid timeout inode ...`; nil if it is about other ends.
    private static func row(_ line: ArraySlice<UInt8>, _ wanted: [UInt8]) -> Row? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let ends = line[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }
        guard ends.starts(with: wanted) else { return nil }
        // After the ends: st, tx_queue:rx_queue, tr:tm->when, retrnsmt, uid, timeout, inode.
        let fields = ends.dropFirst(wanted.count).split(separator: UInt8(ascii: " "))
        guard fields.count > 6, let user = uid_t(String(decoding: fields[4], as: UTF8.self)),
            let inode = UInt64(String(decoding: fields[6], as: UTF8.self))
        else { return nil }
        return Row(isEstablished: fields[0].elementsEqual("01".utf8), user: user, inode: inode)
    }
}
#endif
