// SPDX-License-Identifier: Apache-2.0

#if LoopbackRedirect && (os(Linux) || os(macOS))
/// The owner of the process at the other end of a connection, as far as the system tells.
enum PeerOwner: Sendable {
    /// This user, root, or a process of another system, such as the host of a virtual machine.
    ///
    /// Root is trusted because it can read this process's memory anyway.
    case trusted
    /// Another user, or a process that has hung up: the system doesn't reliably name the user of a closed socket.
    case untrusted
    /// An unknown owner: this process is confined and can't read the tables of connections.
    case unknown
    /// An unknown owner: the system has no such tables.
    case unsupported
}
#endif
