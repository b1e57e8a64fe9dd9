// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import Foundation
// On Apple systems, Foundation declares what this file uses. The tests' stand-in of this module declares it on Linux.
import Security

extension SharedFolder {
    /// Returns the folder of an App Group, which an app shares with its extensions.
    ///
    /// macOS names a folder for every group. If the program does not belong to it, the stores' calls throw `denied`.
    ///
    /// - Parameter appGroup: The group's name, for example `group.com.example.app`, as in the entitlement
    ///   `com.apple.security.application-groups` of each of them.
    /// - Throws: ``SecureStoreError`` (`denied` if this program does not belong to the group).
    public init(appGroup: String) throws(SecureStoreError) {
        let manager = FileManager.default
        guard let folder = manager.containerURL(forSecurityApplicationGroupIdentifier: appGroup) else {
            let remedy = "its developer must sign it with the entitlement com.apple.security.application-groups"
            throw SecureStoreError(.denied, detail: remedy)
        }
        try self.init(folder.path)
    }
}
#endif
