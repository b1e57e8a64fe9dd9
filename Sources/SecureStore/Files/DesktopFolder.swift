// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
/// The user's folders that a desktop and the user's programs share.
///
/// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/#variables).
package enum DesktopFolder {
    /// Returns the folder for the user's desktop entries: `$XDG_DATA_HOME/applications`.
    ///
    /// - Returns: The folder's path. The folder may not exist yet.
    /// - Throws: ``SecureStoreError`` (`denied` if the user has no home folder).
    package static func applications() throws(SecureStoreError) -> String {
        try UserFolder.base("XDG_DATA_HOME", orInHome: UserFolder.dataInHome) + "/applications"
    }

    /// Returns the folder for the user's settings: `$XDG_CONFIG_HOME`.
    ///
    /// - Returns: The folder's path. The folder may not exist yet.
    /// - Throws: ``SecureStoreError`` (`denied` if the user has no home folder).
    package static func configuration() throws(SecureStoreError) -> String {
        try UserFolder.base("XDG_CONFIG_HOME", orInHome: UserFolder.configurationInHome)
    }

    /// Returns a folder for sockets, which only this user can use, and creates it if necessary.
    ///
    /// It is below `$XDG_RUNTIME_DIR/sallyport`. If the variable is missing, or names a folder that is another user's or
    /// that others can write to, it is below `$XDG_STATE_HOME/sallyport/run`.
    ///
    /// - Parameter name: The path below that folder, without a leading slash.
    /// - Returns: The folder's path. The folder exists.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    package static func sockets(_ name: String) throws(SecureStoreError) -> String {
        if let runtime = UserFolder.ownFolder("XDG_RUNTIME_DIR") {
            return try PrivateFolder("\(runtime)/sallyport/\(name)").path
        }
        let state = try UserFolder.base("XDG_STATE_HOME", orInHome: UserFolder.stateInHome)
        return try PrivateFolder("\(state)/sallyport/run/\(name)").path
    }
}
#endif
