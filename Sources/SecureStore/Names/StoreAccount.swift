// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

/// The name of one of a service's sessions: `default`, or a profile's name.
///
/// Not an e-mail address: keyrings store it in plaintext.
public struct StoreAccount: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Creates a name if it is valid.
    ///
    /// - Parameter name: The name: 1 to 128 letters, digits, `.`, `-` and `_`.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public init(_ name: String) throws(SecureStoreError) {
        self.name = try StoreName.checked(name)
    }

    /// Creates the name of a text, such as an API's URL, that is no valid name itself.
    ///
    /// The same text has the same name in every process, and two texts that differ in a byte have two names. The name
    /// does not show the text.
    ///
    /// - Parameter text: The text, of any length and any characters.
    public init(derivedFrom text: String) {
        name = Hexadecimal.encode(Array(SHA256.hash(data: Array(text.utf8))))
    }

    private init(trusted name: String) {
        self.name = name
    }

    /// The only account of an app that has no others.
    public static let `default` = StoreAccount(trusted: "default")

    /// The name.
    public var description: String { name }
}
