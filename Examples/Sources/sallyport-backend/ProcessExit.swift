// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The exit code of a failure.
enum ProcessExit: Int32 {
    /// The command failed.
    case failed = 1
    /// The arguments are invalid.
    case wrongArguments = 2

    /// Ends the process.
    func end() -> Never { exit(rawValue) }
}
