// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SecureStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The process that holds a lock, as the system reports it.
struct LockHolder: CustomStringConvertible {
    /// The process ID, as this process sees it.
    let process: Int32
    /// The program's name, not trusted: a process can choose any name.
    let command: String

    /// The process in the form of an error message: `process 4711 (sallyport)`.
    var description: String { "process \(process) (\(Terminal.shown(command, limit: 15) ?? "unnamed"))" }

    /// Returns the holder of the lock of a session.
    ///
    /// Nil if the kernel names no process that this one can see, for example one in another container.
    ///
    /// The lock's file holds no process number: it would outlive its process, and mean another process in another
    /// container. Only Linux has a call that returns the holder.
    static func ofSession(_ scope: StoreScope) -> LockHolder? {
        guard let path = try? SessionLock(for: scope).path else { return nil }
        return of(path)
    }

    /// Returns the sentence that says who holds the lock of a session.
    static func sentence(of scope: StoreScope) -> String {
        ofSession(scope).map { "The session is in use by \($0)." } ?? "Another process is using the session."
    }

    private static func of(_ path: String) -> LockHolder? {
        #if os(Linux)
        var file = stat()
        guard unsafe lstat(path, &file) == 0, let table = text(of: "/proc/locks") else { return nil }
        let locks = table.split(separator: "\n").compactMap { Lock($0, inode: UInt64(file.st_ino)) }
        // Some file systems show programs another device number than the kernel's own.
        let device = device(of: UInt64(file.st_dev))
        let exact = locks.first { $0.device == device }
        guard let process = exact?.process ?? (locks.count == 1 ? locks[0].process : nil) else { return nil }
        // If a process has ended and left the lock to a child, its number would not help.
        guard let command = text(of: "/proc/\(process)/comm") else { return nil }
        return LockHolder(process: process, command: command)
        #else
        return nil
        #endif
    }

    /// One line of `/proc/locks`: `1: FLOCK  ADVISORY  WRITE 4711 fe:00:16237944 0 EOF`.
    ///
    /// [proc_locks(5)](https://man7.org/linux/man-pages/man5/proc_locks.5.html).
    private struct Lock {
        let process: Int32
        let device: String

        /// Reads a line.
        ///
        /// Returns nil for a line of another file, of another kind of lock, or of a process that waits for a lock.
        init?(_ line: Substring, inode: UInt64) {
            let fields = line.split(separator: " ")
            guard fields.count >= 6, fields[1] == "FLOCK", let process = Int32(fields[4]), process > 0 else {
                return nil
            }
            let location = fields[5].split(separator: ":")
            guard location.count == 3, UInt64(location[2]) == inode else { return nil }
            self.process = process
            device = "\(location[0]):\(location[1])"
        }
    }

    /// Returns a device's number in the kernel's format.
    ///
    /// That is the major and the minor number in hexadecimal, with at least two digits each.
    private static func device(of number: UInt64) -> String {
        let major = (number >> 8) & 0xFFF | (number >> 32) & ~0xFFF
        let minor = number & 0xFF | (number >> 12) & 0xFFFF_FF00
        return [major, minor].map { part in
            let digits = String(part, radix: 16)
            return digits.utf8.count < 2 ? "0" + digits : digits
        }.joined(separator: ":")
    }

    /// Returns the content of one of the kernel's files; nil if it can't be read.
    ///
    /// `Data(contentsOf:)` reads the first 4 KiB alone, because the file's size is 0.
    private static func text(of path: String) -> String? {
        guard let file = unsafe fopen(path, "re") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 262_144)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
