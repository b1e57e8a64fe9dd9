// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDConnect
import OpenIDSession
import SecureStore

/// A session that the tool keeps: a user's, or that of a program without a user.
protocol KeptSession: AccessTokenSource {
    /// The address of the provider or the backend.
    var server: BaseURL { get }
    /// The provider; nil for an app's own backend.
    var anyProvider: OpenIDProvider? { get }
    var apiKey: APIKey? { get }
    /// The name of the contract with the server: a backend's, the grant of a program, `openID` or `oauth`.
    var contractName: String { get }
    /// The words for the session within a sentence: whose it is, and where.
    var title: String { get }
    var protection: StoreProtection { get async }
    /// The times of the token at hand; nil if there is none.
    var accessTokenLifetime: TokenLifetime? { get async }
    var isSenderConstrained: Bool { get async }
    var missingScope: Scope? { get async }
    var canRefresh: Bool { get async }

    /// Returns a user's name, safe to show, or the words for a session without one.
    func name(of user: SessionUser?) -> String
    /// Returns the user, and whether the server can be reached; throws if the session has ended.
    func checked() async throws -> (user: SessionUser?, isOnline: Bool)
    /// Returns the access token to send now, with its expiry and scope.
    func currentToken(validFor span: Duration) async throws -> CurrentToken
    func tokens(for target: TokenTarget, by grant: ResourceTokenGrant) async throws -> TokenSet
    func idToken(validFor span: Duration) async throws -> IDToken
    func refresh() async throws
    func invalidate(_ rejected: AccessToken) async throws
    /// Saves tokens that could not be saved before, or throws.
    func finish() async throws
}

/// An access token, with what is known of it.
struct CurrentToken {
    let token: AccessToken
    let expiresAt: Date?
    let scope: Scope?
}

/// The note about a token that only a program with the session's key can use.
let boundTokenNote = "This token is bound to the session's key. Only this command can use it: sallyport api"

extension KeptSession {
    /// Returns the access token for a program that presents it by itself.
    ///
    /// - Parameters:
    ///   - client: The program, for the message of a failure.
    ///   - advice: The advice if the token is bound to the session's key.
    /// - Throws: ``Failure`` if it is bound; the errors of ``currentToken(validFor:)``.
    func bearerToken(for client: String, orAdvise advice: String) async throws -> CurrentToken {
        guard await !isSenderConstrained else {
            let sentence = "The access token is bound to the session's key (DPoP), so \(client) can't use it."
            throw Failure(.failed, sentence, advice)
        }
        return try await currentToken(validFor: .zero)
    }

    /// Checks that an address is on https, or on plain http as the session's issuer is.
    ///
    /// `BaseURL` accepts plain http for a loopback address, but any user of this machine can listen there.
    ///
    /// - Throws: ``Failure`` (`wrongArguments`).
    func checkScheme(of url: BaseURL) throws {
        guard url.scheme == "https" || server.scheme == "http" else {
            throw Failure(
                .wrongArguments,
                "The token of this session is not sent over plain http, because its issuer uses https.",
                "Use https."
            )
        }
    }
}

extension AuthSession: KeptSession {
    nonisolated var server: BaseURL { backend.baseURL }

    nonisolated var anyProvider: OpenIDProvider? { provider }

    nonisolated var apiKey: APIKey? { backend.apiKey }

    nonisolated var contractName: String {
        if let contract = backend.contract { return contract.rawValue }
        return provider?.metadata.jwksURI == nil ? "oauth" : "openID"
    }

    nonisolated var title: String {
        let user: SessionUser? = if case .signedIn(let known, _) = state { known } else { nil }
        return "the session of \(name(of: user)) at \(server)"
    }

    nonisolated func name(of user: SessionUser?) -> String {
        (user?.displayName ?? user?.id).flatMap { Terminal.shown($0) } ?? "an unnamed user"
    }

    func checked() async throws -> (user: SessionUser?, isOnline: Bool) {
        let state = await validate()
        try await finish()
        guard case .signedIn(let user, let connectivity) = state else { throw await whyAbsent() }
        return (user, connectivity == .online)
    }

    /// Returns the error that explains why no user is signed in any more.
    private func whyAbsent() async -> any Error {
        do {
            _ = try await accessToken()
            return Failure(.failed, "The session changed during the command.", "Try again.")
        } catch {
            return error
        }
    }

    func currentToken(validFor span: Duration) async throws -> CurrentToken {
        while true {
            let token = try await accessToken(validFor: span)
            let current = CurrentToken(token: token, expiresAt: accessTokenLifetime?.expiresAt, scope: scope)
            // Another call would refresh again.
            if let end = current.expiresAt, end <= Date() { return current }
            // A refresh in the background may have replaced the token before its expiry was read.
            if try await accessToken(validFor: span) == token { return current }
        }
    }
}
