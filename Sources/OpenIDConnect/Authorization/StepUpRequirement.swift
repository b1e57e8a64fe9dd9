// SPDX-License-Identifier: Apache-2.0

/// The requirements of an API that a sign-in must meet to replace the session.
///
/// Not sent: the session checks them. They are stored with a pending sign-in.
/// [RFC 9470, 4](https://www.rfc-editor.org/rfc/rfc9470#section-4).
package struct StepUpRequirement: Sendable, Hashable, Codable {
    /// The identifier of the session's user; nil if the server has not named the user.
    package let userID: String?
    /// The authentication context class references that the API accepts; empty if it named none.
    ///
    /// Wire: `acr`.
    package let acrValues: [String]

    /// Creates a requirement.
    ///
    /// - Parameter userID: The identifier of the session's user; nil if the server has not named the user.
    package init(userID: String?, acrValues: [String]) {
        self.userID = userID
        self.acrValues = acrValues
    }
}
