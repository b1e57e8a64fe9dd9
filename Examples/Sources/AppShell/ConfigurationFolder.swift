// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The folders of the user's settings.
public enum ConfigurationFolder {
    /// Returns an app's folder, which may not exist yet: `$XDG_CONFIG_HOME/<app>`, or `~/.config/<app>`.
    public static func url(of app: String) -> URL {
        if let folder = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return URL(filePath: folder).appending(path: app)
        }
        return URL.homeDirectory.appending(path: ".config").appending(path: app)
    }
}
