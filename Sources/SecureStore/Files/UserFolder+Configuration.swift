// SPDX-License-Identifier: Apache-2.0

extension UserFolder {
    /// Returns an app's settings folder: `$XDG_CONFIG_HOME/<app>`, by default `.config/<app>` in the home folder, on
    /// Apple systems `Library/Application Support/<app>`.
    ///
    /// - Parameter app: The app's name.
    /// - Returns: The folder's path. The folder may not exist yet.
    /// - Throws: ``SecureStoreError`` (`denied` if the user has no home folder).
    static func configuration(of app: StoreService) throws(SecureStoreError) -> String {
        try "\(base("XDG_CONFIG_HOME", orInHome: configurationInHome))/\(app.name)"
    }
}
