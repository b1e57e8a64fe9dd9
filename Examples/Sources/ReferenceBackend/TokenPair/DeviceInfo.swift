#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a client says of its device; only the platform and the installation are kept.
struct DeviceInfo: Decodable, Sendable {
    let platform: String
    let osVersion: String
    let model: String
    let appVersion: String
    let installationID: UUID

    /// Refuses members of an unlikely length.
    func validate() throws {
        try JSONRequest.check(platform, isBetween: 1, and: 32, member: "deviceInfo.platform")
        try JSONRequest.check(osVersion, isBetween: 0, and: 200, member: "deviceInfo.osVersion")
        try JSONRequest.check(model, isBetween: 0, and: 200, member: "deviceInfo.model")
        try JSONRequest.check(appVersion, isBetween: 0, and: 200, member: "deviceInfo.appVersion")
    }
}
