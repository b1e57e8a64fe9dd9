// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import Hummingbird
internal import Logging

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A stand-in for Apple on a port of its own: a sign-in page, a token endpoint and a key set.
///
/// Not Apple.
///
/// Its issuer is its own origin, which a backend trusts only if its settings say so.
package final class AppleStandIn: Sendable {
    /// The signing key.
    package let key: StandInKey
    /// The port that it listens on.
    package let port: Int
    /// The issuer, which is the origin.
    package let origin: String
    /// The number of responses of each route.
    package let statistics: BackendStatistics
    private let delivery: DeliveryAddress
    private let publicURL: String
    private let listener: HTTPListener
    private let now: @Sendable () -> Date

    private init(
        key: StandInKey,
        listener: HTTPListener,
        origin: String,
        statistics: BackendStatistics,
        delivery: DeliveryAddress,
        publicURL: String,
        now: @escaping @Sendable () -> Date
    ) {
        self.key = key
        self.listener = listener
        self.origin = origin
        self.statistics = statistics
        self.delivery = delivery
        self.publicURL = publicURL
        self.now = now
        port = listener.port
    }

    /// Starts a stand-in and returns once it listens.
    package static func start(settings: BackendSettings, port: Int) async throws -> AppleStandIn {
        let key = try settings.standInKey ?? StandInKey()
        let statistics = BackendStatistics()
        let delivery = DeliveryAddress()
        let routes = StandInRoutes(
            key: key,
            clients: try StandInClients(settings),
            codes: OneTimeValues(lifetime: StandInGrant.codeLifetime, now: settings.now),
            firstSignIns: FirstSignIns(),
            delivery: delivery,
            host: settings.host,
            now: settings.now,
            onIssue: settings.onIssue
        )
        var logger = settings.logger
        logger[metadataKey: "server"] = "apple-stand-in"
        let router = Router(context: BackendContext.self)
        router.add(
            middleware: RequestLogMiddleware(
                logger: logger,
                statistics: statistics,
                methods: StandInRoutes.methods
            )
        )
        routes.add(to: router)
        let listener = try await HTTPListener.start(router: router, host: settings.host, port: port)
        return AppleStandIn(
            key: key,
            listener: listener,
            origin: StandInRoutes.origin(host: settings.host, port: listener.port),
            statistics: statistics,
            delivery: delivery,
            publicURL: settings.appleRegistration?.publicURL ?? "",
            now: settings.now
        )
    }

    /// Lets the page post to an address on this machine instead of the registered public address.
    func deliver(to origin: String) { delivery.set(origin, for: publicURL) }

    /// Finishes the requests in progress, then stops.
    package func stop() async {
        await listener.stop()
    }

    /// The stand-in as a trusted issuer.
    ///
    /// Its accounts are stored under one name, whatever its port.
    package var trust: IdentityTokenIssuer {
        IdentityTokenIssuer(issuer: origin, jwksURI: origin + "/auth/keys", accountIssuer: "apple-stand-in")
    }

    /// Returns the stand-in's claims for a test to change and to sign with ``StandInKey/sign(_:kid:type:)``.
    package func claims(client: String, nonce: String?, email: String) -> StandInClaims {
        let issued = Int(now().timeIntervalSince1970)
        var claims = StandInClaims(
            iss: origin,
            sub: Self.subject(email: email),
            aud: client,
            iat: issued,
            exp: issued + 600,
            nonce: nonce,
            email: email
        )
        claims.email_verified = true
        return claims
    }

    /// Returns the subject of a user, always the same for an e-mail address.
    static func subject(email: String) -> String {
        let hash = SHA256.hash(data: Data(AccountStore.normalized(email).utf8)).lowercaseHex
        return "stand-in." + hash.prefix(32)
    }
}
