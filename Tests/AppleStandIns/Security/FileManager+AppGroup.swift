// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

/// The App Groups of this program, set by a test; the system's module has no such type.
public enum StandInGroups {
    private static let used = Mutex<[String: String]>([:])

    /// Sets the folders of the program's App Groups.
    public static func use(_ folders: [String: String]) {
        used.withLock { $0 = folders }
    }

    static func folder(_ group: String) -> String? { used.withLock { $0[group] } }
}

extension FileManager {
    /// Returns the folder of an App Group; nil if the program does not belong to it.
    ///
    /// Foundation declares it on Apple systems.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        StandInGroups.folder(groupIdentifier).map { URL(fileURLWithPath: $0) }
    }
}
