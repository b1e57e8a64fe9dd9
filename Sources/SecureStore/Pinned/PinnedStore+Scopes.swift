// SPDX-License-Identifier: Apache-2.0

extension PinnedStore {
    /// Returns the scopes of a service whose sessions live at a location, for tools that list them.
    ///
    /// A session that ended without a sign-out is among them. One that an earlier version recorded is among them from
    /// its next write on. Opens no store.
    ///
    /// - Parameters:
    ///   - service: The app.
    ///   - sharedFolder: The folder of the notes that programs share; nil for the user's own.
    /// - Returns: The scopes, by the account's name. One whose note can't be read is among them.
    /// - Throws: ``SecureStoreError`` if the folder of the notes can't be read (`denied`, `full`, `failed`).
    public static func recordedScopes(
        of service: StoreService,
        in sharedFolder: SharedFolder? = nil
    ) throws -> [StoreScope] {
        let scope = StoreScope(service: service, sharedFolder: sharedFolder)
        return try recordedScopes(of: scope, in: try UserFolder.notes(of: scope))
    }

    /// Returns the recorded scopes with the service of a scope, from the notes in a given folder.
    static func recordedScopes(of scope: StoreScope, in folder: PrivateFolder) throws -> [StoreScope] {
        try FolderEntries.names(in: folder.path).compactMap { name in
            guard name.hasSuffix(".\(ScopeNames.ending)"),
                let content = try? AtomicFile(folder.file(name)).read(atMost: ScopeNames.maximumSize),
                let names = try? ScopeNames(content.bytes), names.service == scope.service
            else { return nil }
            let found = StoreScope(service: names.service, account: names.account, sharedFolder: scope.sharedFolder)
            guard NoteFile.name(of: found, ending: ScopeNames.ending) == name else { return nil }
            do {
                return try NoteFile(of: found, in: { _ in folder }).read().home == nil ? nil : found
            } catch {
                return found
            }
        }
        .sorted { $0.account.name < $1.account.name }
    }
}
