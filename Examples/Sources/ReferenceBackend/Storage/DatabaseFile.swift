internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The database's files, checked before SQLite opens them by name.
///
/// SQLite follows a link. Another user who can write in the folder could lay one there and have the server's keys written
/// to a file of their own; and a database with two names can lose its journal, which leaves it damaged
/// (https://sqlite.org/howtocorrupt.html, 2.5).
enum DatabaseFile {
    /// What SQLite appends to the database's name for the files beside it.
    private static let suffixes = ["-journal", "-wal", "-shm"]

    /// Makes the file if it is absent, with mode 0600 from the start, and refuses what must not be opened.
    ///
    /// - Throws: ``BackendStartError`` (`databaseUnusable`); `Errno`.
    static func prepare(_ path: String) throws {
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

    private static func open(_ path: String) throws -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                FilePath(path),
                .readWrite,
                options: [.create, .closeOnExec, .noFollow],
                permissions: .ownerReadWrite
            )
        } catch Errno.tooManySymbolicLinkLevels {
            throw refused(path, "is a symbolic link. Give the path that it leads to")
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
