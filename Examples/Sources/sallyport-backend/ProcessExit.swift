#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// How the process ends.
enum ProcessExit: Int32 {
    /// It couldn't do what it was asked.
    case failed = 1
    /// It was asked wrongly.
    case wrongArguments = 2

    /// Ends the process.
    func end() -> Never { exit(rawValue) }
}
