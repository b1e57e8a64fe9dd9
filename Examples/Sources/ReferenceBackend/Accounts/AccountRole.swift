// SPDX-License-Identifier: Apache-2.0

/// The role of an account; it never changes once set.
public enum AccountRole: String, Sendable, Codable, CaseIterable {
    /// The user books jobs.
    case customer
    /// The user carries out jobs.
    case driver
}
