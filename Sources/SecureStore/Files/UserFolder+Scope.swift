// SPDX-License-Identifier: Apache-2.0

extension UserFolder {
    /// Returns the folder for a scope's locks, and creates it if necessary.
    ///
    /// - Parameter scope: The scope, with a shared folder or without one.
    /// - Returns: The folder, which exists.
    /// - Throws: ``SecureStoreError`` as ``locks()``; `denied` if the shared folder is missing or unsafe to use.
    static func locks(of scope: StoreScope) throws(SecureStoreError) -> PrivateFolder {
        guard let shared = scope.sharedFolder else { return try locks() }
        return try PrivateFolder(shared.root + "/locks")
    }

    /// Returns the folder for notes about a scope's stores, and creates it if necessary.
    ///
    /// - Parameter scope: The scope, with a shared folder or without one.
    /// - Returns: The folder, which exists.
    /// - Throws: ``SecureStoreError`` as ``notes()``; `denied` if the shared folder is missing or unsafe to use.
    static func notes(of scope: StoreScope) throws(SecureStoreError) -> PrivateFolder {
        guard let shared = scope.sharedFolder else { return try notes() }
        return try PrivateFolder(shared.root + "/stores")
    }

    /// Returns the folder for a scope's lasting data.
    ///
    /// - Parameter scope: The scope, with a shared folder or without one.
    /// - Returns: The folder's path. The folder may not exist yet.
    /// - Throws: ``SecureStoreError`` as ``data()``; `denied` if the shared folder is missing or unsafe to use.
    static func data(of scope: StoreScope) throws(SecureStoreError) -> String {
        guard let shared = scope.sharedFolder else { return try data() }
        return try shared.root
    }
}
