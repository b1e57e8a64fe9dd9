// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import SecureStore

/// The user's folders that a desktop and the user's programs share.
///
/// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/#variables).
enum DesktopFolder {
    /// Returns the folder for the user's desktop entries, which may not exist yet.
    static func applications() throws(SecureStoreError) -> String { try UserFolder.path(.data) + "/applications" }

    /// Returns the folder for the user's settings, which may not exist yet.
    static func configuration() throws(SecureStoreError) -> String { try UserFolder.path(.configuration) }

    /// Returns a folder for sockets, which only this user can use, and creates it if necessary.
    ///
    /// It is below `$XDG_RUNTIME_DIR/sallyport`. If the variable is missing, or names a folder that is another user's or
    /// that others can write to, it is below `$XDG_STATE_HOME/sallyport/run`.
    ///
    /// - Parameter name: The path below that folder, without a leading slash.
    /// - Throws: `SecureStoreError` (`denied`, `full`, `failed`).
    static func sockets(_ name: String) throws(SecureStoreError) -> String {
        if let runtime = UserFolder.ownFolder("XDG_RUNTIME_DIR") {
            return try PrivateFolder("\(runtime)/sallyport/\(name)").path
        }
        return try PrivateFolder("\(UserFolder.path(.state))/sallyport/run/\(name)").path
    }
}
#endif
