// SPDX-License-Identifier: Apache-2.0

import APIClient
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DeviceInfo {
    /// Returns the description of this device for an app's backend.
    ///
    /// It names the platform, the system's version, the kind of device and the installation ID. No host, user or serial
    /// number is in it.
    ///
    /// The installation ID is a random UUID. This makes it at the first call and keeps it in the app's folder: on Linux
    /// in `$XDG_CONFIG_HOME/<app>/installation-id`, by default in `~/.config/<app>`, on Apple systems in
    /// `Library/Application Support/<app>`. Processes that make it at the same time agree on one, and a damaged file is
    /// replaced. If the folder can't be used, the ID lasts as long as this process. A backup that is restored on another
    /// device has the same ID. The call reads a small file; it waits up to a second if another process is writing it.
    ///
    /// - Parameters:
    ///   - appVersion: The app's version.
    ///   - app: The app's reverse domain name, which separates its ID from those of other apps. Characters other than
    ///     letters, digits, `.`, `-` and `_` are replaced. If nil, the bundle identifier on Apple systems, and the
    ///     program's name on Linux.
    /// - Returns: The description.
    public static func current(appVersion: String, app: String? = nil) -> DeviceInfo {
        DeviceInfo(
            // At most 100 characters, and none that controls a terminal: the system's administrator chose it.
            osVersion: DisplayText.clean(ProcessInfo.processInfo.operatingSystemVersionString, limit: 100) ?? "unknown",
            model: DeviceModel.current(platform: thisPlatform),
            appVersion: appVersion,
            installationID: installationID(of: app ?? ProgramName.own)
        )
    }

    private static func installationID(of app: String) -> String {
        let allowed = app.unicodeScalars.lazy.map { scalar -> Character in
            let isAllowed = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            return isAllowed || scalar == "." || scalar == "-" || scalar == "_" ? Character(scalar) : "-"
        }
        // A name with a dot at its start would be a hidden folder, or the parent folder.
        let name = String(String(allowed).drop { $0 == "." }.prefix(128))
        return InstallationID.current(of: name)
    }
}
