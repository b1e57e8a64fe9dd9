// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import Hummingbird
internal import Logging

/// A server that implements both first-party contracts, for the tests, the demo and as an example.
public final class ReferenceBackend: Sendable {
    /// The port that the backend listens on.
    public let port: Int
    /// The number of responses of each route.
    public let statistics: BackendStatistics
    /// The stand-in for Apple, if the settings request one.
    package let appleStandIn: AppleStandIn?
    private let listener: HTTPListener
    private let database: BackendDatabase
    private let client: HTTPClient
    private let accounts: AccountStore
    private let devices: DeviceTokenStore
    private let passwords: PasswordChecker

    private init(
        listener: HTTPListener,
        statistics: BackendStatistics,
        standIn: AppleStandIn?,
        database: BackendDatabase,
        client: HTTPClient,
        settings: BackendSettings
    ) {
        port = listener.port
        self.listener = listener
        self.statistics = statistics
        appleStandIn = standIn
        self.database = database
        self.client = client
        accounts = AccountStore(database: database)
        devices = DeviceTokenStore(database: database, now: settings.now)
        passwords = PasswordChecker(cost: settings.passwordCost)
        appleReturnURL = settings.appleRegistration?.returnURL
    }

    /// The return URL to register at Apple, or nil without a registration.
    public let appleReturnURL: String?
    /// The port of the stand-in for Apple, or nil without one.
    public var applePort: Int? { appleStandIn?.port }

    /// Starts a backend and returns once it listens.
    ///
    /// - Parameter settings: The settings.
    /// - Returns: The running backend.
    /// - Throws: ``BackendStartError`` (`portInUse`, `addressUnavailable`, `endedEarly`, `databaseUnusable`,
    ///   `invalidAppleSettings`).
    public static func start(_ settings: BackendSettings) async throws -> ReferenceBackend {
        var settings = settings
        let isRegisteredHere = settings.registerAtStandIn()
        let database = try BackendDatabase(path: settings.databasePath)
        let client = HTTPClient(configuration: .init(redirectConfiguration: .disallow))
        var standIn: AppleStandIn?
        do {
            if let port = settings.appleStandInPort {
                standIn = try await AppleStandIn.start(settings: settings, port: port)
            }
            let statistics = BackendStatistics()
            let issuers = [settings.apple] + (standIn.map { [$0.trust] } ?? [])
            let router = try await BackendRouter.make(
                settings: settings,
                database: database,
                issuers: issuers,
                client: client,
                statistics: statistics
            )
            let listener = try await HTTPListener.start(router: router, host: settings.host, port: settings.port)
            if isRegisteredHere { standIn?.deliver(to: StandInRoutes.origin(host: settings.host, port: listener.port)) }
            return ReferenceBackend(
                listener: listener,
                statistics: statistics,
                standIn: standIn,
                database: database,
                client: client,
                settings: settings
            )
        } catch {
            await standIn?.stop()
            try? await client.shutdown()
            try? database.close()
            throw error
        }
    }

    /// Finishes the requests in progress, stops, and closes the database.
    public func stop() async {
        await listener.stop()
        await appleStandIn?.stop()
        try? await client.shutdown()
        try? database.close()
    }

    /// Adds an account with a password, or replaces the password of an existing one.
    ///
    /// - Parameters:
    ///   - email: The e-mail address; case doesn't matter.
    ///   - password: The password, 1 to 1024 bytes. Secret; only its hash is stored.
    ///   - name: The name to show.
    ///   - role: The role.
    /// - Returns: The account's id.
    /// - Throws: ``AccountError`` if the address or the password is invalid.
    @discardableResult
    public func addAccount(
        email: String,
        password: String,
        name: String? = nil,
        role: AccountRole? = .customer
    ) async throws -> String {
        try await NewAccount(email: email, password: password, name: name, role: role)
            .add(to: accounts, passwords: passwords)
    }

    /// Returns the push services' names of the devices that get an account's notifications.
    package func deviceTokens(of accountID: String) async throws -> Set<String> {
        try await devices.tokens(of: accountID)
    }

    /// Adds an account to a database, also if no backend uses it.
    ///
    /// - Parameters:
    ///   - email: The e-mail address; case doesn't matter.
    ///   - password: The password, 1 to 1024 bytes. Secret; only its hash is stored.
    ///   - name: The name to show.
    ///   - role: The role, which never changes; nil for that of an existing account, or `customer` for a new one.
    ///   - databasePath: The path of the database, which is created if absent.
    /// - Returns: The account's id.
    /// - Throws: ``AccountError`` if the address or the password is invalid, or the account has another role;
    ///   ``BackendStartError`` (`databaseUnusable`).
    @discardableResult
    public static func addAccount(
        email: String,
        password: String,
        name: String? = nil,
        role: AccountRole? = nil,
        databasePath: String
    ) async throws -> String {
        let database = try BackendDatabase(path: databasePath)
        defer { try? database.close() }
        var account = NewAccount(email: email, password: password, name: name, role: role ?? .customer)
        account.expectedRole = role
        return try await account.add(
            to: AccountStore(database: database),
            passwords: PasswordChecker(cost: .recommended)
        )
    }
}
