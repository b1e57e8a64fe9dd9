/// What a backend is told about the device, and all it is told.
///
/// Wire: `deviceInfo` of the sign-in call.
public struct DeviceInfo: Sendable, Hashable, Encodable {
    /// `linux`, `ios`, `macos`, ...
    public let platform: String
    /// The system's version.
    public let osVersion: String
    /// The kind of device.
    public let model: String
    /// The app's version.
    public let appVersion: String
    /// A random UUID made when the app was first launched, and kept by the app.
    ///
    /// Says nothing about the device.
    public let installationID: String

    /// Makes a description.
    ///
    /// - Parameters:
    ///   - platform: nil for the platform this was built for.
    ///   - osVersion: The system's version.
    ///   - model: The kind of device.
    ///   - appVersion: The app's version.
    ///   - installationID: A random UUID made when the app was first launched.
    public init(platform: String? = nil, osVersion: String, model: String, appVersion: String, installationID: String) {
        self.platform = platform ?? Self.thisPlatform
        self.osVersion = osVersion
        self.model = model
        self.appVersion = appVersion
        self.installationID = installationID
    }

    private static var thisPlatform: String {
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
