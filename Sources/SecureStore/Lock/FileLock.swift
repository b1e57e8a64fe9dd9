// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A lock among processes.
///
/// It is an `flock` on an empty file. Such a lock belongs to the open file and not to the process. Two locks in one
/// process exclude each other, closing another file of the same name frees nothing, and the kernel frees the lock with
/// the last descriptor, however the holder ends. The holder (``Held/removeFile(at:)``) or a clean-up tool may remove
/// the file. A process that has locked a file therefore checks that the name still leads to it, and otherwise tries
/// again. A program that is being started shares the lock from the fork to the exec, so the lock may be freed a moment
/// after its release. It is not reentrant.
package struct FileLock: Sendable {
    private let name: String
    let path: @Sendable () throws -> String

    /// Describes a lock with its name in the error `busy`.
    ///
    /// The path is asked for each time, because the folder may have been removed.
    init(_ name: String, path: @escaping @Sendable () throws -> String) {
        self.name = name
        self.path = path
    }

    /// Runs work while no other holder has the lock, as ``SessionLock/withLock(timeout:clock:_:)``; blocks no thread.
    func withLock<Result>(
        timeout: Duration,
        clock: any Clock<Duration> = ContinuousClock(),
        _ work: () async throws -> Result
    ) async throws -> Result {
        let held = try await take(timeout, clock)
        defer { withExtendedLifetime(held) {} }
        return try await work()
    }

    /// Runs work if the lock is free; returns nil if another holder has it.
    ///
    /// Waits for up to 50 milliseconds, because of programs that are being started.
    func withLockIfFree<Result>(_ work: () async throws -> Result) async throws -> Result? {
        let held: Held
        do {
            held = try await take(.milliseconds(50), ContinuousClock())
        } catch let error as SecureStoreError where error.code == .busy {
            return nil
        }
        defer { withExtendedLifetime(held) {} }
        return try await work()
    }

    private func take(_ timeout: Duration, _ clock: any Clock<Duration>) async throws -> Held {
        let path = try path()
        var pauses = Pauses(next: .milliseconds(2), longest: .milliseconds(50))
        while true {
            try Task.checkCancellation()
            if let held = try Held(ifFreeAt: path) { return held }
            try await clock.sleep(for: pauses.pause(within: timeout, of: name))
        }
    }

    /// Takes the lock, and blocks the thread until it can.
    ///
    /// - Parameter mayWait: Returns whether time is left. Called before each attempt; the first is made in any case.
    package static func blocking(at path: String, _ name: String, mayWait: () throws -> Bool) throws -> Held {
        var pauses = Pauses(next: .microseconds(250), longest: .milliseconds(4))
        while true {
            let limit: Duration = try mayWait() ? .seconds(86_400) : .zero
            if let held = try Held(ifFreeAt: path) { return held }
            // The random part keeps waiting processes out of step.
            usleep(UInt32(try pauses.pause(within: limit, of: name) / .microseconds(1) * .random(in: 0.5...1)))
        }
    }

    /// The pauses between attempts to take a lock, because a wait in the kernel could not be cancelled.
    private struct Pauses {
        var next: Duration
        let longest: Duration
        private var waited = Duration.zero

        init(next: Duration, longest: Duration) {
            (self.next, self.longest) = (next, longest)
        }

        /// Returns the next pause, or throws `busy` if their sum has reached the timeout.
        mutating func pause(within timeout: Duration, of lock: String) throws(SecureStoreError) -> Duration {
            guard waited < timeout else { throw SecureStoreError(.busy, detail: lock) }
            defer { next = min(next * 2, longest) }
            let pause = min(next, timeout - waited)
            waited += pause
            return pause
        }
    }
}

extension FileLock {
    /// The taken lock, held as long as this object lives.
    package final class Held: Sendable {
        private let file: Descriptor

        /// Takes the lock, or returns nil if another holder has it or the file was just replaced.
        ///
        /// Creates the file for this user alone if it does not exist.
        init?(ifFreeAt path: String) throws(SecureStoreError) {
            guard let file = try Descriptor(path, O_RDWR | O_CREAT, mode: 0o600) else { return nil }
            self.file = file
            while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
                if errno == EWOULDBLOCK { return nil }
                guard errno == EINTR else { throw SystemError.error(errno, in: "flock", at: path) }
            }
            guard isStill(at: path) else { return nil }
        }

        /// Removes the file, as the last action under the lock.
        ///
        /// For locks whose names change, so that no files gather. A process that waits for this lock then finds another
        /// file under the name, and takes the lock on that one.
        func removeFile(at path: String) {
            // If it can't be removed it stays, empty, and the next holder removes it.
            if isStill(at: path) { unsafe unlink(path) }
        }

        private func isStill(at path: String) -> Bool {
            var (held, found) = (stat(), stat())
            guard unsafe fstat(file.number, &held) == 0, unsafe lstat(path, &found) == 0 else { return false }
            return held.st_dev == found.st_dev && held.st_ino == found.st_ino
        }
    }
}
