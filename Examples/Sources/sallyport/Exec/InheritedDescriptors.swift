// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file descriptors that a command may inherit: those that the tool's parent has handed on.
struct InheritedDescriptors: Sendable {
    private let numbers: Set<Int32>

    /// Finds the descriptors, before the tool has opened any that its commands would inherit.
    init() {
        numbers = Set(Self.inheritable)
    }

    /// Closes all other descriptors when a command starts, such as a library's socket.
    func closeOthersInCommands() {
        for number in Self.inheritable where !numbers.contains(number) {
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
    }

    private static var inheritable: [Int32] {
        (3..<limit).filter { number in
            let flags = fcntl(number, F_GETFD)
            return flags >= 0 && flags & FD_CLOEXEC == 0
        }
    }

    /// The number above all descriptors; bounded, because some systems allow a billion of them.
    private static var limit: Int32 { max(3, min(getdtablesize(), 65_536)) }
}
