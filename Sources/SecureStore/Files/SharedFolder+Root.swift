// SPDX-License-Identifier: Apache-2.0

extension SharedFolder {
    /// The package's folder in it.
    ///
    /// - Throws: ``SecureStoreError`` (`denied` if the shared folder is missing or unsafe to use).
    var root: String {
        get throws(SecureStoreError) {
            guard UserFolder.isOwn(path) else { throw SecureStoreError(.denied, detail: "the shared folder") }
            return "\(path)/sallyport"
        }
    }
}
