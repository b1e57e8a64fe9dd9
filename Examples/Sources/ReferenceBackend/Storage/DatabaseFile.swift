// SPDX-License-Identifier: Apache-2.0

internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The checks of the database's files and folder before SQLite opens the files by name.
///
/// SQLite follows a symbolic link. Another user with write access to the folder could create one, also after the
/// check, and have the server's keys written to a file of their own. So no other user may write to the folder. A
/// database with two names can lose its journal, which damages it (https://sqlite.org/howtocorrupt.html, 2.5).
enum DatabaseFile {
    /// The suffixes of the files that SQLite creates beside the database.
    private static let suffixes = ["-journal", "-wal", "-shm"]

    /// Creates the file if absent, with mode 0600 from the start, and refuses unsafe files and folders.
    ///
    /// - Throws: ``BackendStartError`` (`databaseUnusable`); `Errno`.
    static func prepare(_ path: String) throws {
        try checkFolder(of: path)
        for suffix in suffixes {
            do {
                try check(try FilePath(path + suffix).stat(followTargetSymlink: false), at: path + suffix)
            } catch Errno.noSuchFileOrDirectory {
                continue
            }
        }
        let file = try open(path)
        try file.closeAfter {
            try check(try file.stat(), at: path)
            guard fchmod(file.rawValue, 0o600) == 0 else { throw Errno(rawValue: errno) }
        }
    }

    /// Refuses a folder in which another user could replace a file between its check and its opening.
    ///
    /// Refuses a folder with the sticky bit too, because others could create the files beside the database.
    private static func checkFolder(of path: String) throws {
        let parent = FilePath(path).removingLastComponent()
        let folder = parent.isEmpty ? FilePath(".") : parent
        let found = try folder.stat()
        guard found.userID.rawValue == geteuid() || found.userID.rawValue == 0 else {
            throw refused("the folder \(folder)", "belongs to another user")
        }
        guard found.permissions.isDisjoint(with: [.groupWrite, .otherWrite]) else {
            throw refused("the folder \(folder)", "can be written to by other users. Change that with chmod go-w")
        }
    }

    private static func open(_ path: String) throws -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                FilePath(path),
                .readWrite,
                options: [.create, .closeOnExec, .noFollow],
                permissions: .ownerReadWrite
            )
        } catch Errno.tooManySymbolicLinkLevels {
            throw refused(path, "is a symbolic link. Use the path of its target")
        }
    }

    private static func check(_ found: Stat, at path: String) throws {
        switch found.type {
        case .regular: break
        case .symbolicLink: throw refused(path, "is a symbolic link. Remove it")
        default: throw refused(path, "is not a regular file")
        }
        guard found.userID.rawValue == geteuid() else { throw refused(path, "belongs to another user") }
        guard found.linkCount == 1 else {
            throw refused(path, "has a second name, by a hard link. Remove one of the two")
        }
    }

    private static func refused(_ path: String, _ reason: String) -> BackendStartError {
        BackendStartError(.databaseUnusable, "The database can't be opened: \(path) \(reason).")
    }
}
