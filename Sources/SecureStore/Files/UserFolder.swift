#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where this user's own small files are.
///
/// Locks, and what is to be remembered of a store, hold no secret. All programs of one user must come to the same ones,
/// whatever `HOME` and the desktop's variables say. So they are in
/// `.local/state/sallyport` in the home folder that the system has for the user; where the system has none that can be
/// written, as in a container with a made-up user, in the one that `HOME` names; else in `/var/tmp/sallyport-<uid>`.
enum UserFolder {
    /// The folder of a kind of files.
    ///
    /// - Parameter name: `locks`, say.
    /// - Returns: The folder, which is there.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`) where none of the places can be used.
    static func named(_ name: String) throws(SecureStoreError) -> PrivateFolder {
        for home in [homeOfUser(), homeOfEnvironment()] {
            if let home, let folder = try? PrivateFolder("\(home)/.local/state/sallyport/\(name)") { return folder }
        }
        // The first folder is checked too: one that another user owns could be replaced by a link.
        return try PrivateFolder(PrivateFolder("/var/tmp/sallyport-\(geteuid())").file(name))
    }

    /// Where the user's own data belong that outlive everything else: an encrypted file, say.
    ///
    /// One place and no second choice: data that were looked for elsewhere would seem to be gone. It is
    /// `$XDG_DATA_HOME/sallyport` where that variable is an absolute path, else `.local/share/sallyport` in the home
    /// folder that the system has for the user, else in the one that `HOME` names.
    /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/#variables).
    ///
    /// - Returns: The folder's path; it may not be there yet.
    /// - Throws: ``SecureStoreError`` (`denied` where the user has no home).
    static func data() throws(SecureStoreError) -> String {
        if let named = unsafe getenv("XDG_DATA_HOME").map({ unsafe String(cString: $0) }), named.hasPrefix("/") {
            return "\(named)/sallyport"
        }
        guard let home = homeOfUser() ?? homeOfEnvironment() else {
            throw SecureStoreError(.denied, detail: "no home folder")
        }
        return "\(home)/.local/share/sallyport"
    }

    private static func homeOfUser() -> String? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        // More than any entry takes; a larger one is treated as none.
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65_536) { buffer in
            guard
                let room = buffer.baseAddress,
                unsafe getpwuid_r(geteuid(), &entry, room, buffer.count, &found) == 0,
                unsafe found != nil,
                let home = unsafe entry.pw_dir
            else { return nil }
            return checked(unsafe String(cString: home))
        }
    }

    private static func homeOfEnvironment() -> String? {
        unsafe getenv("HOME").flatMap { checked(unsafe String(cString: $0)) }
    }

    /// A folder that is there: a home that is not, `/nonexistent` for one, must not be made.
    private static func checked(_ home: String) -> String? {
        var status = stat()
        guard home.hasPrefix("/"), home != "/", unsafe stat(home, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR ? home : nil
    }
}
