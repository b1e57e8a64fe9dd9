public import AuthCore

/// What every store keeps to.
public enum StoreLimits {
    /// The largest item, in bytes.
    ///
    /// A keyring daemon that is given far larger ones closes the connection for good.
    public static let maximumItemSize = 256 * 1024

    /// Refuses an item that is too large, before anything is touched.
    ///
    /// - Parameter item: What is to be written.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`).
    public static func check(_ item: SecretBytes) throws(SecureStoreError) {
        guard item.count <= maximumItemSize else {
            throw SecureStoreError(.itemTooLarge)
        }
    }
}
