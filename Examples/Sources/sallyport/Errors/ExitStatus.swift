// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The exit status of the tool.
///
/// Scripts rely on the numbers.
struct ExitStatus: Error, Sendable, Hashable {
    let code: Int32

    static let done = ExitStatus(code: 0)
    static let failed = ExitStatus(code: 1)
    static let wrongArguments = ExitStatus(code: 2)
    static let notSignedIn = ExitStatus(code: 3)
    static let sessionEnded = ExitStatus(code: 4)
    static let storeUnavailable = ExitStatus(code: 5)
    static let unreachable = ExitStatus(code: 6)
    static let invalidResponse = ExitStatus(code: 7)
    static let cancelled = ExitStatus(code: 130)

    static func exit(_ status: ExitStatus) -> Never {
        #if canImport(Glibc)
        Glibc.exit(status.code)
        #else
        Darwin.exit(status.code)
        #endif
    }
}
