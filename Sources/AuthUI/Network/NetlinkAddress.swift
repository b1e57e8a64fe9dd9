// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The address of a netlink socket: `sockaddr_nl` of `netlink(7)`, which Swift's modules of the C library lack.
///
/// Twelve bytes in this order and without gaps, because each field has its natural alignment.
struct NetlinkAddress: Sendable, Equatable {
    /// `nl_family`.
    private var family = sa_family_t(AF_NETLINK)
    /// `nl_pad`.
    private var padding: UInt16 = 0
    /// `nl_pid`: 0 is the kernel, and no process can have it.
    private(set) var port: UInt32
    /// `nl_groups`: the multicast groups to receive, a bit each.
    private var groups: UInt32

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - port: `nl_pid`: 0 for the kernel, or to let the kernel choose a port when binding.
    ///   - groups: `nl_groups`.
    init(port: UInt32, groups: UInt32 = 0) {
        (self.port, self.groups) = (port, groups)
    }

    /// Passes the address to a system call, which may overwrite it.
    ///
    /// - Parameter call: The call. Receives the pointer and the size in bytes.
    /// - Returns: The result of the call.
    mutating func withSocketAddress<Result>(
        _ call: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result
    ) -> Result {
        var size = socklen_t(MemoryLayout<Self>.size)
        // Safe: the call gets the size in bytes, and the pointer is used only within it.
        return unsafe withUnsafeMutablePointer(to: &self) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &size) }
        }
    }
}
#endif
