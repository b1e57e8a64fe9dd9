// SPDX-License-Identifier: Apache-2.0

/// The grant that an authorization code stands for.
struct StandInGrant: Sendable {
    let request: AuthorizationRequest
    let email: String

    /// The lifetime of a code, as at Apple.
    static let codeLifetime: Duration = .seconds(300)
}
