// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// A location in which an older version of an app, or another program, kept an item.
///
/// A read has three outcomes here too: the value, nil if its absence is proved, or an error. No call prompts.
public protocol LegacyItemSource: Sendable {
    /// The name of the location.
    ///
    /// It is persisted beside the migrated item, so it must not change while the location is still read.
    var name: StoreLocationName { get }

    /// Reads the value.
    ///
    /// - Returns: The value, secret; nil only if its absence is proved.
    /// - Throws: ``SecureStoreError`` if the location can't tell; `CancellationError`.
    func item() async throws -> SecretBytes?

    /// Removes the value only if it still is the expected one.
    ///
    /// - Parameter expected: The value that must be present. Secret; compared in constant time.
    /// - Returns: Whether the value is gone; false if another value is present.
    /// - Throws: ``SecureStoreError`` if the value may still be there; `CancellationError`.
    func removeItem(ifEquals expected: SecretBytes) async throws -> Bool

    /// Removes copies of the value that ``item()`` does not read, before the session is removed.
    ///
    /// Does nothing unless a location implements it: ``LegacySettingsValue`` removes a damaged file that was set aside.
    ///
    /// - Throws: ``SecureStoreError`` if a copy may still be there; `CancellationError`.
    func removeCopies() async throws

    /// Removes what an interrupted removal of the value has left.
    ///
    /// Called if ``item()`` is nil and the removal of a migrated value was begun. Does nothing unless a location keeps
    /// its value in several items: see ``LegacyItemGroup``.
    ///
    /// - Throws: ``SecureStoreError`` if a part may still be there; `CancellationError`.
    func removeRemainder() async throws
}

extension LegacyItemSource {
    /// Does nothing: most locations keep no copies.
    public func removeCopies() async throws {}

    /// Does nothing: most locations keep their value in one item.
    public func removeRemainder() async throws {}
}
