// SPDX-License-Identifier: Apache-2.0

extension SessionUser {
    /// A member of a user's description that the user enters.
    ///
    /// Wire: the member's name in `user`, and in the array `missing`.
    public enum ProfileMember: String, Sendable, Hashable, CaseIterable, Codable {
        /// The user's name.
        case name
        /// The telephone number.
        case phoneNumber
    }
}
