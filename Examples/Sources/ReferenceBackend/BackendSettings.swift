// SPDX-License-Identifier: Apache-2.0

public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings with which a reference backend starts.
///
/// Every lifetime is a setting, so that an expiry can be watched within seconds. The clock is a setting too, so that
/// a test need not wait.
public struct BackendSettings: Sendable {
    /// The address to bind to.
    public var host = "127.0.0.1"
    /// The port to bind to, or 0 for a free one.
    public var port = 0
    /// The address of a proxy whose `X-Forwarded-For` names the client; nil if no proxy is trusted.
    ///
    /// The last entry of that field is then the client that ``signInLimit`` and ``accountSignInLimit`` count.
    public var trustedProxy: IPAddress?
    /// The path of the file that holds accounts, sessions and the server's keys.
    public var databasePath: String
    /// The key that every request under `/api` must send as `X-API-Key`, or nil if no key is required.
    ///
    /// Secret.
    public var apiKey: String?
    /// The lifetime of an access token of contract B.
    public var accessTokenLifetime: Duration = .seconds(900)
    /// The lifetime of a refresh token of contract B after its last rotation.
    public var refreshTokenLifetime: Duration = .seconds(30 * 86_400)
    /// The lifetime of a session token of contract A.
    public var sessionTokenLifetime: Duration = .seconds(30 * 86_400)
    /// The time after a sign-in until which contract A's tokens can be renewed and are accepted; nil for no end.
    public var longestSession: Duration?
    /// The time after a rotation in which the previous refresh token gets the same response again.
    public var refreshGrace: Duration = .seconds(10)
    /// The time before its expiry at which a Bearer token is refused, as by a server whose clock runs fast.
    public var refuseEarly: Duration = .zero
    /// The apps whose identity tokens are accepted, with the role of each app's users.
    public var clients: [String: AccountRole] = ["com.goumuve.app": .customer, "com.goumuve.pro": .driver]
    /// The members that an account of a role must have; `user` lists those that are missing.
    public var requiredProfile: [AccountRole: Set<ProfileMember>] = [.driver: [.name, .phoneNumber]]
    /// The port of the stand-in for Apple, or 0 for a free one; nil (the default) neither starts nor trusts it.
    public var appleStandInPort: Int?
    /// Whether the stand-in also accepts a native client with a loopback redirect, which Apple does not.
    ///
    /// False by default. For tests of `--apple-issuer`.
    public var appleStandInAcceptsLoopback = false
    /// The registration at Apple for the sign-in in a browser; nil if there is none.
    ///
    /// With a stand-in and without a registration, the backend registers itself there.
    public var appleRegistration: AppleRegistration?
    /// The OpenID provider whose access tokens are accepted, beside the backend's own; nil for no provider.
    public var provider: ProviderSettings?
    /// Whether a `userIdentifier` without an identity token is accepted.
    ///
    /// It proves nothing. False by default.
    public var insecurelyAcceptsUserIdentifier = false
    /// The limit of sign-in attempts from one network: an IPv4 address, or a /64 of IPv6.
    public var signInLimit = SignInLimit(attempts: 120, window: .seconds(60))
    /// The limit of sign-in attempts with a wrong password at one account, from all networks together.
    ///
    /// A network from which the user has signed in recently has a count of its own, so that wrong passwords from
    /// elsewhere don't lock the user out. A correct password resets the count that it belongs to. NIST SP 800-63B-4,
    /// 3.2.2 allows at most 100 in a row.
    public var accountSignInLimit = SignInLimit(attempts: 100, window: .seconds(3_600))
    /// The cost of hashing a new password.
    public var passwordCost = ScryptCost.recommended
    /// The logger for requests and warnings.
    public var logger = Logger(label: "sallyport-backend")
    /// The server's clock.
    public var now: @Sendable () -> Date = { Date() }
    /// The closure to call with every issued token, so that a test can search for leaks.
    public var onIssue: (@Sendable (IssuedToken) async -> Void)?
    /// The closure to call with every refresh of contract B, in the order of the decisions, so that a test can count
    /// them.
    public var onRefresh: (@Sendable (RefreshCall) -> Void)?
    /// Apple's issuer and key set.
    package var apple = IdentityTokenIssuer.apple
    /// The stand-in's signing key, or nil for a new one.
    package var standInKey: StandInKey?

    /// Registers this backend at its stand-in for Apple, if it has one and no registration.
    ///
    /// - Returns: Whether it was registered. Its public address then exists on this machine only.
    mutating func registerAtStandIn() -> Bool {
        guard appleStandInPort != nil, appleRegistration == nil else { return false }
        // Reserved for examples by RFC 2606.
        appleRegistration = .standIn(apps: clients.keys, publicURL: "https://backend.example")
        return true
    }

    /// Creates settings with the defaults for everything but the file.
    ///
    /// - Parameter databasePath: The path of the database, which is created if absent. Only its owner can read it.
    public init(databasePath: String) {
        self.databasePath = databasePath
    }
}
