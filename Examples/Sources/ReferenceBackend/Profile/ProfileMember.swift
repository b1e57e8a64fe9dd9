// SPDX-License-Identifier: Apache-2.0

/// A member of an account that its user enters.
public enum ProfileMember: String, Sendable, Codable, CaseIterable {
    /// The user's name.
    case name
    /// The telephone number.
    case phoneNumber
}
