// SPDX-License-Identifier: Apache-2.0

/// A folder that programs with separate home folders share, for the locks and notes of one credential.
///
/// An app and its extension on iOS have separate home folders, so that neither finds the other's locks. With the folder
/// of their App Group in the ``StoreScope`` of both, they take turns: one of them refreshes, the other one waits. The
/// stores and the session take it from the scope:
///
/// | what | where |
/// | --- | --- |
/// | the ``SessionLock``, the locks of `KeychainStore` and ``MigratingStore`` | `sallyport/locks` |
/// | the note of ``PendingRemovals``, and its lock | `sallyport/stores` |
/// | the file of ``EncryptedFileStore``, if the app names no folder for it | `sallyport` |
///
/// The folder must exist, belong to the user, and be closed to the writes of others. Otherwise every call throws
/// `denied`: a lock in another folder would be another lock. All programs that share the credential must give the same
/// folder from the same release on, because notes in another folder are not read.
///
/// On iOS, the system ends an app that is suspended while it holds a lock in such a folder (`0xdead10cc`). Give the
/// session a `BackgroundAssertion` too.
public struct SharedFolder: Sendable, Hashable {
    /// The absolute path.
    public let path: String

    /// Describes a folder without looking for it.
    ///
    /// - Parameter path: An absolute path.
    /// - Throws: ``SecureStoreError`` (`denied` if the path is relative).
    public init(_ path: String) throws(SecureStoreError) {
        guard path.hasPrefix("/") else { throw SecureStoreError(.denied, detail: "a relative folder") }
        self.path = path
    }
}
