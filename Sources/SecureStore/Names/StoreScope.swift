/// The service and account whose items a store contains.
///
/// Together with the user of the system, it is the scope of a credential, and so that of a ``SessionLock``.
public struct StoreScope: Sendable, Hashable {
    /// The app.
    public let service: StoreService
    /// The account: one of the app's sessions.
    public let account: StoreAccount

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - service: The app.
    ///   - account: The account: one of the app's sessions.
    public init(service: StoreService, account: StoreAccount = .default) {
        self.service = service
        self.account = account
    }
}
