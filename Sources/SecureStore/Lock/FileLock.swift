// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A lock among processes, held as long as this object lives.
///
/// It is an `flock` on an empty file. Such a lock belongs to the open file and not to the process. Two locks in one
/// process exclude each other, closing another file of the same name frees nothing, and the kernel frees the lock with
/// the last descriptor, however the holder ends. The holder (``removeFile(at:)``) or a clean-up tool may remove the
/// file. A process that has locked a file therefore checks that the name still leads to it, and otherwise tries again.
/// A program that is being started shares the lock from the fork to the exec, so the lock may be freed a moment after
/// its release.
final class FileLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Takes the lock if it is free.
    ///
    /// - Parameter path: The file; created for this user alone if it does not exist.
    /// - Returns: The lock; nil if another holder has it or the file was just replaced.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`) if the file can't be created or locked.
    static func ifFree(at path: String) throws(SecureStoreError) -> FileLock? {
        // Not inherited by programs that are started meanwhile, which would continue to hold the lock.
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError.error(errno, in: "open lock") }
        let lock = FileLock(descriptor: descriptor)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { throw SystemError.error(errno, in: "flock") }
            return nil
        }
        return lock.isStill(at: path) ? lock : nil
    }

    /// Removes the file, as the last action under the lock.
    ///
    /// For locks whose names change, so that no files gather. A process that waits for this lock then finds another
    /// file under the name, and takes the lock on that one.
    ///
    /// - Parameter path: The file.
    func removeFile(at path: String) {
        // If it can't be removed it stays, empty, and the next holder removes it.
        if isStill(at: path) { unsafe unlink(path) }
    }

    /// Returns whether the name still leads to the locked file.
    private func isStill(at path: String) -> Bool {
        var (held, found) = (stat(), stat())
        guard unsafe fstat(descriptor, &held) == 0, unsafe lstat(path, &found) == 0 else { return false }
        return held.st_dev == found.st_dev && held.st_ino == found.st_ino
    }

    /// Takes the lock, and blocks the thread until it can.
    ///
    /// Tries repeatedly, because a wait in the kernel could not be cancelled.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - name: The lock's name in the error `busy`.
    ///   - mayWait: The function, called before every further attempt, that returns whether time is left.
    /// - Returns: The lock.
    /// - Throws: ``SecureStoreError`` (`busy` if no time is left; as ``ifFree(at:)``); the
    ///   errors of `mayWait`.
    static func blocking(at path: String, _ name: String, mayWait: () throws -> Bool) throws -> FileLock {
        var pause: UInt32 = 250
        while true {
            if let lock = try ifFree(at: path) { return lock }
            guard try mayWait() else {
                throw SecureStoreError(.busy, detail: name)
            }
            // The random part keeps waiting processes out of step.
            usleep(UInt32.random(in: pause / 2...pause))
            pause = min(pause * 2, 4_000)
        }
    }
}
