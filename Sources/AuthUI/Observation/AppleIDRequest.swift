// SPDX-License-Identifier: Apache-2.0

/// The request of a sign-in with Apple: `ASAuthorizationAppleIDRequest` on platforms that have it.
public protocol AppleIDRequest: AnyObject {
    /// The SHA-256 of the attempt's nonce, which the identity token repeats.
    ///
    /// Not secret.
    var nonce: String? { get set }
}
