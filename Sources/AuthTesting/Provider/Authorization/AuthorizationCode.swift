// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The request and the sign-in that an authorization code stands for.
///
/// [RFC 6749, 4.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2).
struct AuthorizationCode: Sendable {
    let request: CheckedAuthorizationRequest
    let user: InProcessProvider.User
    let signedIn: Date
    let expiration: Date
    /// The family that the code was exchanged for; nil until then.
    var family: Int?
}
