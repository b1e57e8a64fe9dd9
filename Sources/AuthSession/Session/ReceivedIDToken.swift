// SPDX-License-Identifier: Apache-2.0

package import AuthCore

/// An ID token of a refresh that is verified when it is used: the tokens beside it must not wait for the provider's keys.
package struct ReceivedIDToken: StoredForm, Equatable {
    /// The text, which may be no ID token.
    ///
    /// Secret.
    package let token: IDToken

    init(_ token: IDToken) {
        self.token = token
    }

    package init(from decoder: any Decoder) throws {
        token = try IDToken(try String(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws { try token.unredacted.encode(to: encoder) }
}
