// SPDX-License-Identifier: Apache-2.0

import APIClient
import SecureStore

#if canImport(Security)
// With `Bundle`.
import Foundation
#elseif canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The description of the device for a backend, which gets no other information about it.
///
/// Wire: `deviceInfo` of the sign-in call.
public struct DeviceInfo: Sendable, Hashable, Encodable {
    /// The platform, for example `linux`, `ios` or `macos`.
    public let platform: String
    /// The system's version.
    public let osVersion: String
    /// The kind of device.
    public let model: String
    /// The app's version.
    public let appVersion: String
    /// A random UUID that is created at the app's first launch and kept: `current(appVersion:app:)` does both.
    ///
    /// Says nothing about the device.
    public let installationID: String

    /// Creates a description; a platform of nil is the one that this was built for.
    public init(platform: String? = nil, osVersion: String, model: String, appVersion: String, installationID: String) {
        self.platform = platform ?? Self.thisPlatform
        self.osVersion = osVersion
        self.model = model
        self.appVersion = appVersion
        self.installationID = installationID
    }

    static var thisPlatform: String {
        #if os(Linux)
        "linux"
        #elseif os(macOS)
        "macos"
        #elseif os(iOS)
        "ios"
        #elseif os(tvOS)
        "tvos"
        #elseif os(watchOS)
        "watchos"
        #elseif os(visionOS)
        "visionos"
        #else
        "unknown"
        #endif
    }
}

extension DeviceInfo {
    /// Returns the description of this device for an app's backend.
    ///
    /// It names the platform, the system's version, the kind of device and the installation ID. No host, user or serial
    /// number is in it.
    ///
    /// The installation ID is a random UUID. This makes it at the first call and keeps it in the app's folder: on Linux
    /// in `$XDG_CONFIG_HOME/<app>/installation-id`, by default in `~/.config/<app>`, on Apple systems in
    /// `Library/Application Support/<app>`. Processes that make it at the same time agree on one, and a damaged file is
    /// replaced. If the folder can't be used, the ID lasts as long as this process. A backup restored on another device
    /// has the same ID. The call reads a small file; it waits up to a second if another process is writing it.
    ///
    /// - Parameter app: The app's reverse domain name, which separates its ID from those of other apps. Characters
    ///   other than letters, digits, `.`, `-` and `_` are replaced. If nil, the bundle identifier on Apple systems, and
    ///   the program's name on Linux.
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

/// The name by which this program's files are found.
private enum ProgramName {
    #if canImport(Security)
    /// The bundle identifier; the process's name if there is no bundle.
    static var own: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }
    #else
    /// The process's name, which is that of the executable.
    static var own: String { ProcessInfo.processInfo.processName }
    #endif
}

/// The kind of a device, which very many devices share.
enum DeviceModel {
    /// Returns the kind of this device.
    static func current(platform: String) -> String { name(platform: platform, machine: machine) }

    /// Returns the kind of a device.
    ///
    /// - Parameter machine: The system's name of the hardware, for example `iPhone17,1`. Only its beginning is used.
    static func name(platform: String, machine: String) -> String {
        switch platform {
        case "macos": "Mac"
        case "tvos": "Apple TV"
        case "watchos": "Apple Watch"
        case "visionos": "Apple Vision"
        // A simulator has the name of the Mac's processor.
        case "ios": ["iPhone", "iPad", "iPod"].first { machine.hasPrefix($0) } ?? "iPhone or iPad"
        default: "computer"
        }
    }

    /// The system's name of the hardware.
    private static var machine: String {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return "" }
        // Safe: the bytes are read within the call that lends them.
        return unsafe withUnsafeBytes(of: &names.machine) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
