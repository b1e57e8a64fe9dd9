/// A person's password, on its way to the one call that needs it.
///
/// Kept nowhere.
public struct Password: Secret {
    private let text: SecretText

    /// Wraps what the person typed, of any content.
    ///
    /// - Parameter text: The password. Secret.
    public init(_ text: String) {
        self.text = SecretText(trusted: text)
    }

    /// The raw value.
    ///
    /// Secret: for the sign-in call alone.
    public var unredacted: String { text.unredacted }

    /// Compares in constant time, byte for byte.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
