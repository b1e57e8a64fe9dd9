// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// An item where an older version of an app, or another program, kept it.
///
/// A read has three outcomes here too: the value, nil if its absence is proved, or an error. No call prompts or
/// unlocks.
public struct LegacyItem: Sendable {
    package let read: @Sendable () async throws -> SecretBytes?
    package let remove: @Sendable () async throws -> Void
    /// Removes copies that `read` does not find, at a sign-out.
    let removeCopies: @Sendable () async throws -> Void

    /// Describes an item of any other place, such as another ``SecureStore``.
    ///
    /// - Parameters:
    ///   - read: Returns the value, secret; nil only if its absence is proved.
    ///   - remove: Removes the item, whatever its value. An absent item is not an error.
    public init(
        read: @escaping @Sendable () async throws -> SecretBytes?,
        remove: @escaping @Sendable () async throws -> Void
    ) {
        self.init(read: read, remove: remove, removeCopies: {})
    }

    init(
        read: @escaping @Sendable () async throws -> SecretBytes?,
        remove: @escaping @Sendable () async throws -> Void,
        removeCopies: @escaping @Sendable () async throws -> Void
    ) {
        (self.read, self.remove, self.removeCopies) = (read, remove, removeCopies)
    }

    /// Reads the value; nil only if its absence is proved.
    ///
    /// - Returns: The value, secret.
    /// - Throws: ``SecureStoreError`` if the place can't tell; `CancellationError`.
    public func value() async throws -> SecretBytes? { try await read() }
}
