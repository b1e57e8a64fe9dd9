// SPDX-License-Identifier: Apache-2.0

/// The service and account whose items a store contains.
///
/// Together with the user of the system, it is the scope of a credential, and so that of a ``SessionLock``.
public struct StoreScope: Sendable, Hashable {
    /// The app.
    public let service: StoreService
    /// The account: one of the app's sessions.
    public let account: StoreAccount
    /// The folder of the locks and notes that programs share; nil for the user's own folders.
    ///
    /// For programs with separate home folders, such as an app and its extension.
    public let sharedFolder: SharedFolder?

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - service: The app.
    ///   - account: The account: one of the app's sessions.
    ///   - sharedFolder: The folder of the credential's locks and notes, the same in all programs that share it; nil
    ///     for the user's own folders.
    public init(service: StoreService, account: StoreAccount = .default, sharedFolder: SharedFolder? = nil) {
        self.service = service
        self.account = account
        self.sharedFolder = sharedFolder
    }
}
