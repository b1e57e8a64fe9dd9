#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension UserFolder {
    /// The locks of a user without a home that can be written.
    ///
    /// In the first folder of these that is this user's and that nobody else can write to: `$STATE_DIRECTORY`, which
    /// systemd gives a service; `$XDG_RUNTIME_DIR`; `$XDG_DATA_HOME`, where the encrypted file is. Else in
    /// `/var/tmp/sallyport-<uid>`, the last choice: any user may make a folder of that name first. Then it is refused.
    ///
    /// - Returns: The folder, which is there.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`) if none of the places can be used.
    static func locksWithoutHome() throws(SecureStoreError) -> PrivateFolder {
        for folder in ["STATE_DIRECTORY", "XDG_RUNTIME_DIR", "XDG_DATA_HOME"].compactMap(ownFolder) {
            do throws(SecureStoreError) {
                return try PrivateFolder("\(folder)/sallyport/locks")
            } catch {
                guard error.code == .denied else { throw error }
            }
        }
        // The first folder is checked too: one that another user owns could be replaced by a link.
        return try PrivateFolder(PrivateFolder("/var/tmp/sallyport-\(geteuid())").file("locks"))
    }

    /// Returns the folder that a variable names; nil unless it is this user's and closed to the writes of others.
    ///
    /// Of several, separated by colons as in `STATE_DIRECTORY`, the first.
    private static func ownFolder(_ variable: String) -> String? {
        guard
            let value = unsafe getenv(variable).map({ unsafe String(cString: $0) }),
            let folder = value.split(separator: ":").first.map(String.init),
            folder.hasPrefix("/")
        else { return nil }
        var status = stat()
        guard unsafe stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        return status.st_uid == geteuid() && status.st_mode & 0o022 == 0 ? folder : nil
    }
}
