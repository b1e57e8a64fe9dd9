// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The result of a sign-in.
struct SignedIn: Sendable {
    let issued: IssuedTokens
    var user: SessionUser?
}
