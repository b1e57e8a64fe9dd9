// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The folders of the user's settings.
public enum ConfigurationFolder {
    /// Returns an app's folder, which may not exist yet: `$XDG_CONFIG_HOME/<app>`, or `~/.config/<app>`.
    public static func url(of app: String) -> URL {
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return URL(filePath: folder).appending(path: app)
        }
        // Foundation asks the user database first, and not `HOME`.
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil } ?? URL.homeDirectory
        return home.appending(path: ".config").appending(path: app)
    }
}
