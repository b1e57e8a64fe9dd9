// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport

extension ShellStage {
    /// Returns the environment of an app without a keyring.
    static func environment(in folder: TemporaryFolder, home: URL) throws -> [String: String] {
        let own = [
            "HOME": home.path(), "XDG_CONFIG_HOME": home.appending(path: ".config").path(),
            "XDG_RUNTIME_DIR": try folder.folder("run").path(),
        ]
        return base.merging(own) { _, new in new }
    }

    /// Returns the environment of an app with a keyring: the way to the keyring, and no variable that leads elsewhere.
    static func environment(of keyring: PrivateKeyring) -> [String: String] {
        let own = keyring.environment.filter { name, _ in
            name == "HOME" || name == "TMPDIR" || name == "DBUS_SESSION_BUS_ADDRESS" || name.hasPrefix("XDG_")
        }
        return base.merging(own) { _, new in new }
    }

    /// The script that plays the user at the stand-in for Apple.
    static var browser: String {
        URL(filePath: #filePath).appending(path: "../../../../Support/browser").standardizedFileURL.path()
    }

    private static var base: [String: String] {
        ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "BROWSER": browser]
    }
}
