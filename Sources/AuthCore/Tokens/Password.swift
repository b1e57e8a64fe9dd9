// SPDX-License-Identifier: Apache-2.0

/// A user's password, for the one call that needs it.
///
/// Never persisted.
public struct Password: Secret {
    private let text: SecretText

    /// Wraps the user's input, of any content.
    ///
    /// - Parameter text: The password. Secret.
    public init(_ text: String) {
        self.text = SecretText(trusted: text)
    }

    /// Wraps a password in UTF-8 that is in memory already, without another copy.
    ///
    /// - Parameter bytes: The password. Bytes that are not UTF-8 are replaced. Secret.
    public init(_ bytes: SecretBytes) {
        text = SecretText(trusted: bytes)
    }

    /// The raw value.
    ///
    /// Secret: for the sign-in call only.
    public var unredacted: String { text.unredacted }

    /// Compares in constant time, byte for byte.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
