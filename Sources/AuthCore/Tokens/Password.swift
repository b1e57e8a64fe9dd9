/// A person's password, on its way to the one call that needs it.
///
/// Kept nowhere.
public struct Password: Secret {
    /// The raw value.
    ///
    /// Secret: for the sign-in call alone.
    public let unredacted: String

    /// Wraps what the person typed, of any content.
    ///
    /// - Parameter text: The password. Secret.
    public init(_ text: String) {
        unredacted = text
    }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        ConstantTime.equal(left.unredacted.utf8, right.unredacted.utf8)
    }
}
