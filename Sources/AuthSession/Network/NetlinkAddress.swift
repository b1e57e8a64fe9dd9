#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Who is at a netlink socket: the `sockaddr_nl` of `netlink(7)`, which Swift's modules of the C library do not have.
///
/// Twelve bytes in this order and without gaps, as each field is where its size wants it.
struct NetlinkAddress: Sendable, Equatable {
    /// `nl_family`.
    private var family = sa_family_t(AF_NETLINK)
    /// `nl_pad`.
    private var padding: UInt16 = 0
    /// `nl_pid`: 0 is the kernel, which no process can be.
    private(set) var port: UInt32
    /// `nl_groups`: what is heard, a bit each.
    private var groups: UInt32

    /// Names one.
    ///
    /// - Parameters:
    ///   - port: `nl_pid`: 0 for the kernel, and to bind where the kernel chooses one.
    ///   - groups: `nl_groups`.
    init(port: UInt32, groups: UInt32 = 0) {
        (self.port, self.groups) = (port, groups)
    }

    /// Lends it to a system call, which may write another one.
    ///
    /// - Parameter call: The call; is given where it is and its size in bytes.
    /// - Returns: What the call returns.
    mutating func withSocketAddress<Result>(
        _ call: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result
    ) -> Result {
        var size = socklen_t(MemoryLayout<Self>.size)
        // Safe: the call is told how many bytes there are, and the pointer is used within it.
        return unsafe withUnsafeMutablePointer(to: &self) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &size) }
        }
    }
}
#endif
