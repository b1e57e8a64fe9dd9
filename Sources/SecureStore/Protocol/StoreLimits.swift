// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The limits of every store.
public enum StoreLimits {
    /// The largest item, in bytes.
    ///
    /// A keyring daemon closes the connection for good if it gets a far larger item.
    public static let maximumItemSize = 256 * 1024

    /// Refuses an item that is too large, before anything is changed.
    ///
    /// - Parameter item: The item to be written.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`).
    public static func check(_ item: SecretBytes) throws(SecureStoreError) {
        guard item.count <= maximumItemSize else {
            throw SecureStoreError(.itemTooLarge)
        }
    }
}
