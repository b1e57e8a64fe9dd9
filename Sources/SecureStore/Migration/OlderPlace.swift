public import AuthCore

/// A place where an older version of an app, or another program, kept an item.
///
/// A read has three answers here too: the value, nil where its absence is proved, or an error. None of the calls
/// prompts.
public protocol OlderPlace: Sendable {
    /// What the place is called.
    ///
    /// It is written down beside the migrated item, so it must not change while the place is looked through.
    var name: PlaceName { get }

    /// Reads the value.
    ///
    /// - Returns: The value, secret; nil only where it is proved that there is none.
    /// - Throws: ``SecureStoreError`` where the place can't say; `CancellationError`.
    func item() async throws -> SecretBytes?

    /// Removes the value only where it still is the expected one.
    ///
    /// - Parameter expected: What it must be. Secret; compared in constant time.
    /// - Returns: Whether the value is gone; false where it is another by now.
    /// - Throws: ``SecureStoreError`` where it may still be there; `CancellationError`.
    func removeItem(ifEquals expected: SecretBytes) async throws -> Bool

    /// Removes copies of the value that ``item()`` does not read, before the session is removed.
    ///
    /// Does nothing unless a place has its own: ``SettingsFileValue`` removes a damaged file that was set aside.
    ///
    /// - Throws: ``SecureStoreError`` if one may still be there; `CancellationError`.
    func removeCopies() async throws
}

extension OlderPlace {
    /// Does nothing: most places keep no copies.
    public func removeCopies() async throws {}
}
