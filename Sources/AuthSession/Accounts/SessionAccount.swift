// SPDX-License-Identifier: Apache-2.0

/// An account of one of several users, signed in side by side on this device.
public struct SessionAccount: Sendable, Hashable, Identifiable {
    /// The account's identifier on this device only: random, and valid as the name of a store's account.
    public let id: String
    /// The user, if the server has named one; for a list of accounts, before any of their sessions is read.
    public let user: SessionUser?
}
