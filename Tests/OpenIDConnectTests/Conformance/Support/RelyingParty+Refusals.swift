// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

/// Refusals that a fault causes; the same call succeeds without it, so that a test that expects a refusal can fail.
extension RelyingParty {
    typealias FaultInjection = (InProcessProvider) -> Void

    /// Returns the reason why the ID token of a sign-in is refused.
    ///
    /// OpenID Connect Core 1.0, 3.1.3.7: the rest of the response is then not used, above all not for a userinfo
    /// request.
    func idTokenRefusal(
        _ parameters: AuthorizationParameters = AuthorizationParameters(),
        sourceLocation: SourceLocation = #_sourceLocation,
        when inject: FaultInjection
    ) async throws -> IDTokenError {
        inject(server)
        let before = server.count(at: .token)
        let error = await #expect(throws: OpenIDError.self, sourceLocation: sourceLocation) {
            try await signIn(parameters)
        }
        #expect(error?.operation == .token, sourceLocation: sourceLocation)
        #expect(server.count(at: .token) == before + 1, "a code is sent once", sourceLocation: sourceLocation)
        #expect(server.requests(at: .userInfo).isEmpty, sourceLocation: sourceLocation)
        #expect(contactedOnlyProvider, sourceLocation: sourceLocation)
        server.clearFaults()
        _ = try await signIn(parameters)
        return try #require(error?.refusedToken, sourceLocation: sourceLocation)
    }

    /// Returns the reason why the ID token of a refresh is refused.
    func refreshRefusal(
        sourceLocation: SourceLocation = #_sourceLocation,
        when inject: FaultInjection
    ) async throws -> IDTokenError {
        let tokens = try await signIn()
        inject(server)
        let error = await #expect(throws: OpenIDError.self, sourceLocation: sourceLocation) {
            try await refreshed(tokens)
        }
        #expect(error?.operation == .token, sourceLocation: sourceLocation)
        server.clearFaults()
        let other = try await signIn()
        let renewed = try await refreshed(other)
        #expect(renewed.tokens.accessToken != other.tokens.accessToken, sourceLocation: sourceLocation)
        return try #require(error?.refusedToken, sourceLocation: sourceLocation)
    }

    /// Returns the reason why the browser's response is refused; nothing of it may reach the token endpoint.
    func callbackRefusal(
        _ parameters: AuthorizationParameters = AuthorizationParameters(),
        sourceLocation: SourceLocation = #_sourceLocation,
        when inject: FaultInjection
    ) async throws -> OpenIDError {
        inject(server)
        let before = server.requests(at: .token).count
        let error = await #expect(throws: OpenIDError.self, sourceLocation: sourceLocation) {
            try await signIn(parameters)
        }
        #expect(server.requests(at: .token).count == before, sourceLocation: sourceLocation)
        server.clearFaults()
        _ = try await signIn(parameters)
        return try #require(error, sourceLocation: sourceLocation)
    }

    /// Returns the reason why the userinfo claims are refused.
    func userInfoRefusal(
        sourceLocation: SourceLocation = #_sourceLocation,
        when inject: FaultInjection
    ) async throws -> OpenIDError {
        let tokens = try await signIn()
        inject(server)
        let error = await #expect(throws: OpenIDError.self, sourceLocation: sourceLocation) {
            try await userInfo(tokens)
        }
        server.clearFaults()
        _ = try await userInfo(tokens)
        return try #require(error, sourceLocation: sourceLocation)
    }
}

extension OpenIDError {
    /// The check that refused a token of the provider; nil if there was another reason.
    var refusedToken: IDTokenError? {
        if case .idToken(let error)? = reason { error } else { nil }
    }
}
