// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An app and its provider on one test clock: discovery, authorization, tokens, and their use.
struct RelyingParty {
    static let redirectURI = "http://127.0.0.1:40123/callback"

    let clock: TestClock
    /// The provider itself: its requests and its faults.
    let server: InProcessProvider
    /// The provider from the app's side.
    let provider: OpenIDProvider

    /// Fetches the provider's metadata.
    ///
    /// - Parameters:
    ///   - client: The app.
    ///   - issuer: The provider.
    ///   - profile: The provider's profile; nil for the one that the issuer brings by itself.
    ///   - clock: The clock of both.
    ///   - configure: A closure that changes the provider's configuration.
    ///   - adjust: A closure that changes the app's settings.
    ///   - fault: A closure that injects faults before the app's first request.
    ///   - carry: A closure that returns the transport between the two.
    /// - Throws: `OpenIDError`.
    init(
        _ client: OpenIDClient = .public(id: "native"),
        issuer: String = "https://provider.example",
        profile: ProviderProfile? = nil,
        clock: TestClock = TestClock(),
        configure: (inout InProcessProvider.Configuration) -> Void = { _ in },
        settings adjust: (inout ProviderSettings) -> Void = { _ in },
        fault: (InProcessProvider) -> Void = { _ in },
        through carry: (InProcessProvider) -> any Transport = { $0 }
    ) async throws {
        var configuration = InProcessProvider.Configuration()
        configure(&configuration)
        self.clock = clock
        server = InProcessProvider(issuer: issuer, configuration: configuration, now: { clock.date })
        fault(server)
        var settings = ProviderSettings()
        settings.transport = carry(server)
        settings.now = { clock.date }
        settings.clock = clock
        adjust(&settings)
        let issuer = try Issuer(issuer, profile: profile)
        provider = try await OpenIDProvider.discover(issuer: issuer, client: client, settings: settings)
    }

    // MARK: A sign-in, step by step

    func request(
        _ parameters: AuthorizationParameters = AuthorizationParameters(),
        redirectURI: String = RelyingParty.redirectURI,
        dpopKey key: DPoPKey? = nil
    ) -> AuthorizationRequest {
        AuthorizationRequest(
            provider: provider.metadata,
            clientID: provider.client.id,
            redirectURI: redirectURI,
            parameters: parameters,
            nonce: Nonce().unredacted,
            dpopKey: key
        )
    }

    /// Returns the URL that the provider redirects the browser to.
    func callback(for request: AuthorizationRequest, usesPushedAuthorizationRequest: Bool = false) async throws
        -> String
    {
        let url = try await provider.authorizationURL(
            for: request,
            pushed: usesPushedAuthorizationRequest
        )
        return try #require(server.authorize(url).redirectURL)
    }

    func response(to request: AuthorizationRequest, usesPushedAuthorizationRequest: Bool = false) async throws
        -> AuthorizationResponse
    {
        let callback = try await callback(for: request, usesPushedAuthorizationRequest: usesPushedAuthorizationRequest)
        return try AuthorizationResponse(redirectedTo: callback, to: request)
    }

    func signIn(
        _ parameters: AuthorizationParameters = AuthorizationParameters(),
        dpopKey key: DPoPKey? = nil,
        usesPushedAuthorizationRequest: Bool = false
    ) async throws -> OpenIDTokens {
        let request = request(parameters, dpopKey: key)
        return try await provider.tokens(
            for: try await response(to: request, usesPushedAuthorizationRequest: usesPushedAuthorizationRequest),
            to: request
        )
    }

    // MARK: Use of tokens

    func refreshed(_ tokens: OpenIDTokens, dpopKey key: DPoPKey? = nil) async throws -> OpenIDTokens {
        OpenIDTokens(tokens: try await refresh(tokens, dpopKey: key).tokens, idToken: nil)
    }

    /// Returns the response to a refresh; its ID token is not verified yet.
    func refresh(
        _ tokens: OpenIDTokens,
        dpopKey key: DPoPKey? = nil
    ) async throws -> RefreshResponse.Issued {
        try await provider.refreshed(
            with: try #require(tokens.tokens.refreshToken),
            previous: tokens.tokens.idToken,
            dpopKey: key,
            sendGuard: { true }
        ).issued
    }

    /// Verifies the ID token of a refresh.
    func verify(_ new: RefreshResponse.Issued, after old: OpenIDTokens) async throws -> IDToken {
        try await provider.verifiedIDToken(
            try #require(new.idToken),
            receivedAt: new.date,
            of: new.tokens.accessToken,
            previous: old.tokens.idToken,
            user: nil
        )
    }

    func userInfo(_ tokens: OpenIDTokens, dpopKey key: DPoPKey? = nil) async throws -> UserInfo {
        let subject = try #require(tokens.idToken?.subject)
        return try await provider.userInfo(with: tokens.tokens.accessToken, of: subject, dpopKey: key)
    }

    // MARK: Sent requests

    /// Returns the one request to an endpoint.
    func onlyRequest(at endpoint: InProcessProvider.Endpoint) throws -> InProcessProvider.Request {
        let requests = server.requests(at: endpoint)
        try #require(requests.count == 1)
        return requests[0]
    }

    /// Whether every request went to the provider, which also records those to other origins.
    var contactedOnlyProvider: Bool { server.requests.allSatisfy { $0.endpoint != nil } }
}

extension RefreshResponse {
    typealias Issued = (tokens: TokenSet, idToken: IDToken?, date: Date)

    /// The tokens and the ID token, not verified yet.
    ///
    /// Refused tokens are revoked first.
    var issued: Issued {
        get async throws {
            switch self {
            case .tokens(let tokens, let idToken, let date): return (tokens, idToken, date)
            case .rotated(_, let error): throw error
            case .mismatched(let error, let revocation):
                await revocation()
                throw error
            }
        }
    }
}
