// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
public import Foundation
internal import Glibc
internal import Synchronization

/// The lock that serializes making pipes and starting children, so that no child inherits another child's pipe.
private let starting = Mutex(())

/// A program to start as a child process.
///
/// Replaces Foundation's `Process`, which reads beyond a buffer when it starts a child in a process with many open
/// files (swift-corelibs-foundation 5472), and gives a child the pipes of children that start at the same time. A child
/// of this type inherits its three streams and no other descriptor, such as the socket of a test server.
public struct ChildProcess: Sendable {
    /// The source or destination of a child's standard stream.
    public enum Stream: Sendable {
        /// The stream of this process.
        case inherited
        /// `/dev/null`.
        case null
        /// A file that both processes have open.
        case file(FileHandle)
        /// The child's end of a pipe, which this process closes once the child has it.
        case pipe(Pipe)
    }

    /// The program.
    public var executableURL: URL?
    /// The arguments, without the program's name.
    public var arguments: [String] = []
    /// The whole environment, or nil for that of this process.
    public var environment: [String: String]?
    /// The standard input.
    public var standardInput = Stream.inherited
    /// The standard output.
    public var standardOutput = Stream.inherited
    /// The standard error.
    public var standardError = Stream.inherited

    /// Creates a description without a program.
    public init() {}

    /// Starts the program.
    ///
    /// - Returns: The process ID, for ``waitForExit(of:)``.
    /// - Throws: ``TestSupportError`` with the system's error number.
    func start() throws -> Int32 {
        guard let program = executableURL?.path else { throw TestSupportError("no program to start") }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var ends: [FileHandle] = []
        for (place, stream) in [standardInput, standardOutput, standardError].enumerated() {
            let place = Int32(place)
            switch stream {
            case .inherited: break
            case .null: unsafe posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_RDWR, 0)
            case .file(let file): unsafe posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, place)
            case .pipe(let pipe):
                ends.append(place == 0 ? pipe.fileHandleForReading : pipe.fileHandleForWriting)
                unsafe posix_spawn_file_actions_adddup2(&actions, ends[ends.count - 1].fileDescriptor, place)
            }
        }
        try unsafe Self.closeOthers(&actions)
        var attributes = Self.defaultSignals()
        defer { unsafe posix_spawnattr_destroy(&attributes) }

        let variables = environment ?? ProcessInfo.processInfo.environment
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var pairs = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (words + pairs).forEach { unsafe free($0) } }
        var number: Int32 = 0
        let code = starting.withLock { _ in
            unsafe posix_spawn(&number, program, &actions, &attributes, &words, &pairs)
        }
        guard code == 0 else { throw TestSupportError("can't start \(program): error \(code)") }
        for end in ends { try end.close() }
        return number
    }

    /// Waits for a started process to exit.
    ///
    /// Blocks this thread.
    ///
    /// - Parameter number: The process ID.
    /// - Returns: The exit code, or 128 plus the number of the signal that ended the process.
    static func waitForExit(of number: Int32) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Closes all of the child's descriptors except its three streams.
    ///
    /// Closing one that is not open is no error.
    private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) throws {
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        // The margin covers descriptors that other threads open before the child starts.
        for descriptor in 3..<min((open.max() ?? 3) + 64, getdtablesize()) {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
    }

    /// Returns attributes that unblock all signals in the child.
    ///
    /// Tests run on threads that block signals, and a child inherits that.
    private static func defaultSignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }
}

extension Pipe {
    /// Makes a pipe that no other program inherits.
    ///
    /// - Returns: The pipe, with close-on-exec set on both ends.
    public static func make() -> Pipe {
        starting.withLock { _ in
            let pipe = Pipe()
            for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
            return pipe
        }
    }
}
#endif
