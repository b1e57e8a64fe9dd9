// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A client's device information, of which only the platform and the installation are stored.
struct DeviceInfo: Decodable, Sendable {
    let platform: String
    let osVersion: String
    let model: String
    let appVersion: String
    let installationID: UUID

    /// Refuses members that are too long or too short.
    func validate() throws {
        try JSONRequest.check(platform, isBetween: 1, and: 32, member: "deviceInfo.platform")
        try JSONRequest.check(osVersion, isBetween: 0, and: 200, member: "deviceInfo.osVersion")
        try JSONRequest.check(model, isBetween: 0, and: 200, member: "deviceInfo.model")
        try JSONRequest.check(appVersion, isBetween: 0, and: 200, member: "deviceInfo.appVersion")
    }
}
