// SPDX-License-Identifier: Apache-2.0

/// A push service's name of a device.
struct DeviceToken: Decodable, Sendable {
    let token: String
    let platform: String

    /// Refuses members that are too long, or that no push service makes: printable ASCII without spaces.
    ///
    /// - Throws: ``APIFailure`` (`invalid_request`).
    func validate() throws {
        try JSONRequest.check(token, isBetween: 1, and: 512, member: "token")
        try JSONRequest.check(platform, isBetween: 1, and: 32, member: "platform")
        for (text, member) in [(token, "token"), (platform, "platform")] {
            guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw APIFailure.invalidRequest("The member '\(member)' must be printable ASCII without spaces.")
            }
        }
    }
}
