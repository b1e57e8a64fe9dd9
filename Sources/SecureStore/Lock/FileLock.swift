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

    /// Describes a lock.
    ///
    /// - Parameters:
    ///   - name: The lock's name in the error `busy`.
    ///   - path: The lock's file. Asked for each time, because the folder may have been removed.
    init(_ name: String, path: @escaping @Sendable () throws -> String) {
        self.name = name
        self.path = path
    }

    /// Runs work while no other holder has the lock; blocks no thread.
    ///
    /// - Parameters:
    ///   - clock: Measures the wait.
    ///   - work: The lock is released when it ends, even with an error.
    /// - Throws: ``SecureStoreError`` (`busy` if another process holds the lock for longer; `denied`, `full`, `failed`
    ///   if the file can't be created); `CancellationError` during the wait; the errors of the work.
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
        var attempts = Attempts(at: try path(), name, pause: .milliseconds(2), atMost: .milliseconds(50))
        while true {
            try Task.checkCancellation()
            switch try attempts.next(within: timeout) {
            case .held(let held): return held
            case .pause(let pause): try await clock.sleep(for: pause)
            }
        }
    }

    /// Takes the lock, and blocks the thread until it can.
    ///
    /// - Parameters:
    ///   - name: The lock's name in the error `busy`.
    ///   - mayWait: Returns whether time is left. Called before each attempt; the first is made in any case.
    /// - Throws: ``SecureStoreError`` as ``withLock(timeout:clock:_:)``; the errors of `mayWait`.
    package static func blocking(at path: String, _ name: String, mayWait: () throws -> Bool) throws -> Held {
        var attempts = Attempts(at: path, name, pause: .microseconds(250), atMost: .milliseconds(4))
        while true {
            switch try attempts.next(within: try mayWait() ? .seconds(86_400) : .zero) {
            case .held(let held): return held
            // The random part keeps waiting processes out of step.
            case .pause(let pause): usleep(UInt32(pause / .microseconds(1) * .random(in: 0.5...1)))
            }
        }
    }
}

extension FileLock {
    /// The taken lock, held as long as this object lives.
    package final class Held: Sendable {
        private let file: Descriptor

        /// Takes the lock, or returns nil if another holder has it or the file was just replaced.
        ///
        /// - Parameter path: The file; created for this user alone if it does not exist.
        /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`) if the file can't be created or locked.
        init?(ifFreeAt path: String) throws(SecureStoreError) {
            guard let file = try Descriptor(path, O_RDWR | O_CREAT, mode: 0o600) else { return nil }
            self.file = file
            while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
                if errno == EINTR { continue }
                guard errno == EWOULDBLOCK else { throw SystemError.error(errno, in: "flock") }
                return nil
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

        /// Returns whether the name still leads to the locked file.
        private func isStill(at path: String) -> Bool {
            var (held, found) = (stat(), stat())
            guard unsafe fstat(file.number, &held) == 0, unsafe lstat(path, &found) == 0 else { return false }
            return held.st_dev == found.st_dev && held.st_ino == found.st_ino
        }
    }

    /// The attempts to take a lock, repeated because a wait in the kernel could not be cancelled.
    private struct Attempts {
        enum Outcome {
            case held(Held)
            case pause(Duration)
        }

        private let path: String
        private let name: String
        private var pause: Duration
        private let longest: Duration
        private var waited = Duration.zero

        init(at path: String, _ name: String, pause: Duration, atMost longest: Duration) {
            (self.path, self.name, self.pause, self.longest) = (path, name, pause, longest)
        }

        /// Makes an attempt, and otherwise says how long to pause.
        ///
        /// - Parameter timeout: The longest sum of the pauses.
        /// - Throws: ``SecureStoreError`` (`busy` if the time is over; as an attempt).
        mutating func next(within timeout: Duration) throws(SecureStoreError) -> Outcome {
            if let held = try Held(ifFreeAt: path) { return .held(held) }
            guard waited < timeout else {
                throw SecureStoreError(.busy, detail: name)
            }
            let next = min(pause, timeout - waited)
            waited += next
            pause = min(pause * 2, longest)
            return .pause(next)
        }
    }
}
