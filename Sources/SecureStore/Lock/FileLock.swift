#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A lock among processes, held as long as this object lives.
///
/// It is an `flock` on an empty file. Such a lock belongs to the open file and not to the process: two in one process
/// exclude each other, closing another file of the same name frees nothing, and the kernel frees it with the last
/// descriptor, however the holder ends. The file stays: who removed one that another has open would make two locks of
/// one. Where somebody else removes it all the same, the next one to come notices. A program that is being started shares
/// it from the fork to the exec, so that it may fall a moment later than it is let go.
final class FileLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Takes the lock, unless another has it.
    ///
    /// - Parameter path: The file; made for this user alone where there is none.
    /// - Returns: The lock, or nil.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`) where the file can't be made or locked.
    static func ifFree(at path: String) throws(SecureStoreError) -> FileLock? {
        // Not inherited by programs that are started meanwhile: they would hold the lock on.
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

    /// Removes the file, as the last thing that is done under the lock.
    ///
    /// For locks whose names change, so that no files gather. A process that waits finds that the file is another one by
    /// now, and waits for that.
    ///
    /// - Parameter path: The file.
    func removeFile(at path: String) {
        // Where it can't be removed it stays, empty, and the next one removes it.
        if isStill(at: path) { unsafe unlink(path) }
    }

    /// Whether the file is still the one of that name.
    private func isStill(at path: String) -> Bool {
        var (held, found) = (stat(), stat())
        guard unsafe fstat(descriptor, &held) == 0, unsafe lstat(path, &found) == 0 else { return false }
        return held.st_dev == found.st_dev && held.st_ino == found.st_ino
    }

    /// Takes the lock, and blocks the thread until it can.
    ///
    /// Asks again and again, because a wait in the kernel could not be given up.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mayWait: Called before every further attempt; throws to give up.
    /// - Returns: The lock.
    /// - Throws: What `mayWait` throws; ``SecureStoreError`` as ``ifFree(at:)``.
    static func blocking(at path: String, mayWait: () throws -> Void) throws -> FileLock {
        var pause: UInt32 = 250
        while true {
            if let lock = try ifFree(at: path) { return lock }
            try mayWait()
            // Not in step with the others who wait.
            usleep(UInt32.random(in: pause / 2...pause))
            pause = min(pause * 2, 4_000)
        }
    }
}
