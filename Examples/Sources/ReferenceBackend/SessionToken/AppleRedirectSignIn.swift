// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import Hummingbird
internal import Logging

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The sign-in with Apple that the backend carries out in a browser, for an app without Apple's own.
///
/// The app opens `start` in the browser, Apple posts its response to `callback`, the browser comes back to the app with
/// a one-time code, and the app redeems that.
///
/// What binds the steps: a state of 256 bits between `start` and Apple's post, which arrives without a cookie, because
/// it comes from another site; the nonce in the identity token; and the code challenge between `start` and the
/// redemption, so a program that catches the redirect has no use for the code. A page that sends a user's browser to
/// `start` with parameters of its own (login CSRF) wins nothing: the browser comes back to an app on the user's
/// machine, which refuses a redirect without its own state.
struct AppleRedirectSignIn: Sendable {
    /// A sign-in between `start` and `callback`.
    struct Pending: Sendable {
        /// The app's bundle identifier.
        let app: String
        let servicesID: String
        let address: ReturnAddress
        /// The app's own state.
        let state: String
        let hashedNonce: String
        let codeChallenge: String
    }

    /// A sign-in between `callback` and its redemption.
    private struct Completed: Sendable {
        let pending: Pending
        let identity: VerifiedIdentity
    }

    /// The reason that the browser can't be sent back to the app.
    enum Refusal: Error {
        /// The app or its address is unknown.
        case unknownApp
        /// No sign-in has this state, or it was used before or has expired.
        case noPendingSignIn
    }

    /// The response for the browser: an address and the parameters of its query.
    typealias Redirect = (address: String, parameters: [(String, String?)])

    private let provider: AppleRedirectProvider?
    private let accounts: AccountStore
    private let limiter: SignInLimiter
    private let clients: [String: AccountRole]
    private let logger: Logger
    private let onIssue: (@Sendable (IssuedToken) async -> Void)?
    private let pending: OneTimeValues<Pending>
    private let completed: OneTimeValues<Completed>

    /// The time for the user at Apple's page.
    static let pendingLifetime: Duration = .seconds(1_800)
    /// The time in which a one-time code can be redeemed.
    static let codeLifetime: Duration = .seconds(60)

    init(provider: AppleRedirectProvider?, accounts: AccountStore, limiter: SignInLimiter, settings: BackendSettings) {
        self.provider = provider
        self.accounts = accounts
        self.limiter = limiter
        clients = settings.clients
        logger = settings.logger
        onIssue = settings.onIssue
        pending = OneTimeValues(lifetime: Self.pendingLifetime, now: settings.now)
        completed = OneTimeValues(lifetime: Self.codeLifetime, now: settings.now)
    }

    /// Begins a sign-in.
    ///
    /// - Parameters:
    ///   - fields: The query of `start`. Untrusted.
    ///   - network: The client's network.
    /// - Returns: The way to Apple, or back to the app with an error.
    /// - Throws: ``Refusal`` (`unknownApp`).
    func start(_ fields: FormFields, from network: ClientNetwork) async throws -> Redirect {
        guard let app = fields["client_id"], clients[app] != nil,
            let address = fields["redirect_uri"].flatMap({ ReturnAddress($0, of: app) })
        else { throw Refusal.unknownApp }
        let state = fields["state"]
        func refuse(_ error: String) -> Redirect { (address.text, [("error", error), ("state", state)]) }
        guard let state, (22...512).contains(state.utf8.count), let nonce = fields["nonce"],
            IdentityTokenVerifier.isNonce(nonce), fields["code_challenge_method"] == "S256",
            let challenge = fields["code_challenge"], Data(base64URL: challenge)?.count == 32
        else { return refuse("invalid_request") }
        guard let provider, let servicesID = provider.registration.servicesIDs[app] else {
            logger.error("a sign-in with Apple in a browser was refused: this backend has no Services ID for the app")
            return refuse("server_error")
        }
        do { try limiter.countAttempt(from: network) } catch { return refuse("rate_limited") }
        let key = pending.key(
            for: Pending(
                app: app,
                servicesID: servicesID,
                address: address,
                state: state,
                hashedNonce: nonce.lowercased(),
                codeChallenge: challenge
            )
        )
        await onIssue?(IssuedToken(.redirectState, key))
        return (
            provider.issuer.authorizationEndpoint,
            provider.parameters(servicesID: servicesID, state: key, hashedNonce: nonce.lowercased())
        )
    }

    /// Takes Apple's response.
    ///
    /// - Parameter fields: The form that Apple's page posted through the browser. Untrusted.
    /// - Returns: The way back to the app, with a one-time code or an error.
    /// - Throws: ``Refusal`` (`noPendingSignIn`).
    func callback(_ fields: FormFields) async throws -> Redirect {
        guard let provider, let found = fields["state"].flatMap({ pending.take($0) }) else {
            throw Refusal.noPendingSignIn
        }
        do {
            let code = try await oneTimeCode(for: found, fields, provider)
            return (found.address.text, [("code", code), ("state", found.state)])
        } catch {
            return (found.address.text, [("error", Self.code(of: error)), ("state", found.state)])
        }
    }

    private func oneTimeCode(
        for found: Pending,
        _ fields: FormFields,
        _ provider: AppleRedirectProvider
    ) async throws -> String {
        if let error = fields["error"] { throw AppleError(error) }
        guard let code = fields["code"], (1...2_048).contains(code.utf8.count) else { throw AppleError("") }
        let identity = try await provider.identity(
            for: code,
            of: found.servicesID,
            hashedNonce: found.hashedNonce
        )
        // Apple sends the name once. It is kept now: a browser that never gets back to the app must not lose it. The
        // role is set at the redemption, because any web page can send a browser to `start` with any app's identifier.
        if let name = fields["user"].flatMap({ AppleUserField.name(in: $0) }) {
            _ = try await accounts.account(for: identity, name: name, role: nil)
        }
        let key = completed.key(for: Completed(pending: found, identity: identity))
        await onIssue?(IssuedToken(.oneTimeCode, key))
        return key
    }

    /// Redeems a one-time code.
    ///
    /// A wrong verifier or nonce doesn't use up the code: another user of the machine can see the redirect in the
    /// arguments of a process, and must not be able to cancel the sign-in. A guess is no danger: a verifier has at
    /// least 43 characters, a code has 256 bits, and attempts are limited.
    ///
    /// - Parameters:
    ///   - request: The app's request.
    ///   - network: The client's network.
    /// - Returns: The account.
    /// - Throws: ``APIFailure`` (`rate_limited`, `invalid_request`, `invalid_grant`, `nonce_mismatch`,
    ///   `role_conflict`).
    func account(for request: Request, from network: ClientNetwork) async throws -> Account {
        try limiter.countAttempt(from: network)
        let body = try await JSONRequest.decode(Redemption.self, from: request)
        guard IdentityTokenVerifier.isNonce(body.nonce) else {
            throw APIFailure.invalidRequest("The member 'nonce' must have 64 hexadecimal digits.")
        }
        guard let found = try completed.take(body.code, if: { try Self.isHolder(body, of: $0.pending) })
        else { throw APIFailure.invalidGrant }
        guard let role = clients[found.pending.app] else { throw IdentityTokenVerifier.refused }
        return try await accounts.account(for: found.identity, name: nil, role: role)
    }

    /// Returns whether a redemption has the verifier of a sign-in; compares in constant time.
    ///
    /// - Throws: ``APIFailure`` (`nonce_mismatch`) if it has the verifier and not the nonce.
    private static func isHolder(_ body: Redemption, of pending: Pending) throws -> Bool {
        guard CodeChallenge.verifier(body.codeVerifier, fits: pending.codeChallenge) else { return false }
        guard ConstantTime.equal(IdentityTokenVerifier.hash(ofNonce: body.nonce), pending.hashedNonce) else {
            throw IdentityTokenVerifier.nonceMismatch
        }
        return true
    }

    private struct Redemption: Decodable {
        let code: String
        let codeVerifier: String
        let nonce: String

        enum CodingKeys: String, CodingKey {
            case code
            case codeVerifier = "code_verifier"
            case nonce
        }
    }

    /// Apple's own error code.
    private struct AppleError: Error {
        let code: String

        init(_ code: String) { self.code = code }
    }

    /// Returns the error code for the app.
    private static func code(of error: any Error) -> String {
        switch error {
        case let error as AppleError: error.code == "user_cancelled_authorize" ? "access_denied" : "server_error"
        case AppleTokenClient.Failure.unavailable: "temporarily_unavailable"
        case AppleTokenClient.Failure.codeRefused: "invalid_grant"
        case let failure as APIFailure:
            failure.code == IdentityTokenVerifier.unavailable.code ? "temporarily_unavailable" : failure.code
        default: "server_error"
        }
    }
}
