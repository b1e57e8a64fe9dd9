// SPDX-License-Identifier: Apache-2.0

/// The outcome of ending the user's session at the provider, which lives in the browser beside the tokens here.
///
/// [OpenID Connect RP-Initiated Logout 1.0](https://openid.net/specs/openid-connect-rpinitiated-1_0.html).
public enum EndSessionOutcome: Sendable, Hashable {
    /// The provider has no end session endpoint.
    case unsupported
    /// The browser was sent to the provider. The user's action there is unknown.
    case initiated
    /// The browser returned from the provider.
    case completed
    /// The browser could not be opened, did not reach the provider, did not return in time, or returned with another
    /// state.
    ///
    /// Also if another user had signed in here before the browser opened.
    case failed
}
