/// Whose items a store shows: one account's of one service.
///
/// With the user of the system it is the scope of a credential, and so that of a ``SessionLock``.
public struct StoreScope: Sendable, Hashable {
    /// The app.
    public let service: StoreService
    /// Which of its sessions.
    public let account: StoreAccount

    /// Names a scope.
    ///
    /// - Parameters:
    ///   - service: The app.
    ///   - account: Which of its sessions.
    public init(service: StoreService, account: StoreAccount = .default) {
        self.service = service
        self.account = account
    }
}
