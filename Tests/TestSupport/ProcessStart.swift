public import Foundation
internal import Synchronization

/// One start at a time in this process: a child is given none of another child's ends.
///
/// Foundation learns of a child's end from a socket that only that child holds, and closes in each child the
/// descriptors that were open when it counted them. A child that starts between another's count and its start keeps the
/// other's socket and pipes open, so that the other's end is not noticed while this one lives.
private let starting = Mutex(())

extension Process {
    /// Starts as `run()` does, after every other start of this process.
    ///
    /// - Throws: What the system says where it can't be started.
    public func start() throws {
        try starting.withLock { _ in try run() }
    }
}

extension Pipe {
    /// Makes a pipe that no child has but the one it is given to.
    ///
    /// - Returns: The pipe.
    public static func make() -> Pipe {
        starting.withLock { _ in Pipe() }
    }
}
