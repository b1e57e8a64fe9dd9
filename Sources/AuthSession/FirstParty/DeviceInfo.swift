// SPDX-License-Identifier: Apache-2.0

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
    /// A random UUID that is created at the app's first launch and kept: ``current(appVersion:app:)`` does both.
    ///
    /// Says nothing about the device.
    public let installationID: String

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - platform: The platform; nil for the one this was built for.
    ///   - osVersion: The system's version.
    ///   - model: The kind of device.
    ///   - appVersion: The app's version.
    ///   - installationID: A random UUID that was created at the app's first launch.
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
