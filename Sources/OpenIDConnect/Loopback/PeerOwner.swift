#if LoopbackRedirect
/// The owner of the process at the other end of a connection, as far as the system tells.
enum PeerOwner: Sendable {
    /// This user, root, or a process of another system, such as the host of a virtual machine.
    case trusted
    /// Another user, or a process that has hung up: the system does not name a closed socket's user reliably.
    case untrusted
    /// The system does not tell.
    case unknown
}
#endif
