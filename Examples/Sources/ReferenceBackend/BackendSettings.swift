public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a reference backend is started with.
///
/// Every lifetime is a setting, so that an expiry can be watched in seconds, and the clock is one too, so that a test
/// need not wait for it.
public struct BackendSettings: Sendable {
    /// The address to bind to.
    public var host = "127.0.0.1"
    /// The port to bind to; 0 takes a free one.
    public var port = 0
    /// The one file that holds accounts, sessions and the server's keys.
    public var databasePath: String
    /// The key every call under `/api` must carry as `X-API-Key`; none is asked for when `nil`.
    ///
    /// Secret.
    public var apiKey: String?
    /// How long an access token of contract B is good.
    public var accessTokenLifetime: Duration = .seconds(900)
    /// How long a refresh token of contract B is good after its last rotation.
    public var refreshTokenLifetime: Duration = .seconds(30 * 86_400)
    /// How long a session token of contract A is good.
    public var sessionTokenLifetime: Duration = .seconds(30 * 86_400)
    /// How long after a sign-in contract A's tokens can be renewed; no token is good beyond it.
    public var longestSession: Duration = .seconds(180 * 86_400)
    /// How long after a rotation the refresh token before it gets the same answer again.
    public var refreshGrace: Duration = .seconds(10)
    /// How long before its expiry a Bearer token is refused, as by a server whose clock runs fast.
    public var refuseEarly: Duration = .zero
    /// The apps whose identity tokens are accepted, and the role each signs its users in as.
    public var clients: [String: AccountRole] = ["com.goumuve.app": .customer, "com.goumuve.pro": .driver]
    /// The port of the stand-in for Apple, 0 for a free one; `nil` (the default) neither starts nor trusts it.
    public var appleStandInPort: Int?
    /// Whether a `userIdentifier` without an identity token signs in.
    ///
    /// It proves nothing; off by default.
    public var insecurelyAcceptsUserIdentifier = false
    /// The sign-ins that one network may try: an IPv4 address, or a /64 of IPv6.
    public var signInLimit = SignInLimit(attempts: 120, window: .seconds(60))
    /// The sign-ins with a wrong password that one account allows, whatever networks they come from.
    ///
    /// A right password starts the count again. NIST SP 800-63B-4, 3.2.2 allows 100 in a row at most.
    public var accountSignInLimit = SignInLimit(attempts: 100, window: .seconds(3_600))
    /// What a new password's hash costs.
    public var passwordCost = ScryptCost.recommended
    /// Where the request log and warnings go.
    public var logger = Logger(label: "sallyport-backend")
    /// The time, as the server sees it.
    public var now: @Sendable () -> Date = { Date() }
    /// Called with every token issued, so that a test can search for leaks.
    public var onIssue: (@Sendable (IssuedToken) async -> Void)?
    /// Called with every refresh of contract B, in the order in which they are decided, so that a test can count them.
    public var onRefresh: (@Sendable (RefreshCall) -> Void)?
    /// Apple's issuer and key set.
    package var apple = IdentityTokenIssuer.apple
    /// The stand-in's signing key; made anew when `nil`.
    package var standInKey: StandInKey?

    /// Makes settings with the defaults for everything but the file.
    ///
    /// - Parameter databasePath: The file that holds everything; created when absent, readable by its owner only.
    public init(databasePath: String) {
        self.databasePath = databasePath
    }
}
