// SPDX-License-Identifier: Apache-2.0

/// The identity that a verified identity token names.
struct VerifiedIdentity: Sendable {
    /// The issuer name under which its accounts are stored.
    let issuer: String
    /// The issuer's identifier of the user.
    let subject: String
    /// The app that the token was issued to.
    let audience: String
    /// The user's e-mail address, if the issuer has verified it.
    let email: String?
}
