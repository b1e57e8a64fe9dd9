// SPDX-License-Identifier: Apache-2.0

package import AuthCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An ID token of a refresh that is verified when it is used: the tokens beside it must not wait for the provider's keys.
package struct ReceivedIDToken: StoredForm, Equatable {
    /// The text, which may be no ID token.
    ///
    /// Secret.
    package let token: IDToken
    /// The arrival, by the provider's clock as far as it is known.
    ///
    /// The token's times are checked against it: this device's clock may be wrong, or be set before the token is used.
    package let receivedAt: Date

    private enum CodingKeys: String, CodingKey {
        case token, receivedAt
    }

    package init(_ token: IDToken, at date: Date) {
        (self.token, receivedAt) = (token, date)
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        token = try IDToken(try members.decode(String.self, forKey: .token))
        receivedAt = try members.decode(Date.self, forKey: .receivedAt)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(token.unredacted, forKey: .token)
        try members.encode(receivedAt, forKey: .receivedAt)
    }
}
