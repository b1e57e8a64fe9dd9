#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where this user's own files are.
///
/// Two questions, two answers. *Locks*: all programs of one user must come to the same ones, whatever `HOME` and the
/// desktop's variables say; one too many who waits does no harm. *Data and notes* belong to one set of the user's places:
/// another `HOME` has another keyring and another file, and what is to be removed from the one must never be removed from
/// the other.
enum UserFolder {
    /// Where locks are: `.local/state/sallyport/locks` in the home folder that the system has for the user; on Apple
    /// systems `Library/Application Support/sallyport/locks`.
    ///
    /// Where the system has none that can be written, as in a container with a made-up user, in the one that `HOME`
    /// names; else as ``locksWithoutHome()`` says.
    ///
    /// - Returns: The folder, which is there.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`) where none of the places can be used.
    static func locks() throws(SecureStoreError) -> PrivateFolder {
        for home in [homeOfUser(), homeOfEnvironment()] {
            guard let home else { continue }
            do throws(SecureStoreError) {
                return try PrivateFolder("\(home)/\(stateInHome)/sallyport/locks")
            } catch {
                // Only where no program of this user can use it. Any other fault may be this process's alone, and a lock
                // elsewhere would be another lock.
                guard error.code == .denied else { throw error }
            }
        }
        return try locksWithoutHome()
    }

    /// Where data belong that outlive everything else, an encrypted file say: `$XDG_DATA_HOME/sallyport`, by default
    /// `.local/share/sallyport` in the home folder.
    ///
    /// - Returns: The folder's path; it may not be there yet.
    /// - Throws: ``SecureStoreError`` (`denied` where the user has no home).
    static func data() throws(SecureStoreError) -> String {
        try folder("XDG_DATA_HOME", orInHome: dataInHome)
    }

    /// Where notes on stores are: `$XDG_STATE_HOME/sallyport/stores`, by default below `.local/state` in the home folder.
    ///
    /// - Returns: The folder, which is there.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    static func notes() throws(SecureStoreError) -> PrivateFolder {
        try PrivateFolder(folder("XDG_STATE_HOME", orInHome: stateInHome) + "/stores")
    }

    /// One place and no second choice: what were looked for elsewhere would seem to be gone.
    ///
    /// The home is the one that `HOME` names, else the one that the system has.
    /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/#variables).
    private static func folder(_ variable: String, orInHome path: String) throws(SecureStoreError) -> String {
        if let named = unsafe getenv(variable).map({ unsafe String(cString: $0) }), named.hasPrefix("/") {
            return "\(named)/sallyport"
        }
        guard let home = homeOfEnvironment() ?? homeOfUser() else {
            throw SecureStoreError(.denied, detail: "no home folder")
        }
        return "\(home)/\(path)/sallyport"
    }

    /// The home folder that the system has for the user; nil where it has none that is there.
    static func homeOfUser() -> String? {
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

    /// The home folder that `HOME` names; nil where it names none that is there.
    static func homeOfEnvironment() -> String? {
        unsafe getenv("HOME").flatMap { checked(unsafe String(cString: $0)) }
    }

    /// A folder that is there: a home that is not, `/nonexistent` for one, must not be made.
    private static func checked(_ home: String) -> String? {
        var status = stat()
        guard home.hasPrefix("/"), home != "/", unsafe stat(home, &status) == 0 else { return nil }
        // With sudo, HOME may be another user's: root would take its folders away from it.
        guard geteuid() != 0 || status.st_uid == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR ? home : nil
    }
}
