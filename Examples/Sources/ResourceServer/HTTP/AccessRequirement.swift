// SPDX-License-Identifier: Apache-2.0

public import Hummingbird

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The middleware that requires a scope, or a recent or stronger sign-in, after ``AccessTokenMiddleware``.
public struct AccessRequirement<Context: AccessTokenContext>: RouterMiddleware {
    private let scope: [String]
    private let acrValues: [String]
    private let maxAge: Duration?
    private let now: @Sendable () -> Date

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - scope: The scope values that the token must all have.
    ///   - acrValues: The authentication contexts of which the sign-in must have one; empty for any.
    ///   - maxAge: The maximum time since the sign-in; nil for any.
    ///   - now: The server's clock.
    public init(
        scope: [String] = [],
        acrValues: [String] = [],
        maxAge: Duration? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.scope = scope
        self.acrValues = acrValues
        self.maxAge = maxAge
        self.now = now
    }

    /// Checks the token of the context, then calls the route.
    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let token = try context.requireAccessToken()
        let scheme: AuthenticationScheme = token.keyThumbprint == nil ? .bearer : .dpop
        guard token.scope.isSuperset(of: scope) else {
            let parameters = [(name: "scope", value: scope.joined(separator: " "))]
            throw AccessTokenError(.insufficientScope, scheme: scheme, parameters: parameters)
        }
        guard isStrong(token), isRecent(token) else {
            throw AccessTokenError(.insufficientUserAuthentication, scheme: scheme, parameters: stepUp)
        }
        return try await next(request, context)
    }

    /// The parameters of [RFC 9470, 3](https://www.rfc-editor.org/rfc/rfc9470#section-3).
    private var stepUp: [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        if !acrValues.isEmpty { parameters.append((name: "acr_values", value: acrValues.joined(separator: " "))) }
        if let maxAge { parameters.append((name: "max_age", value: String(maxAge.components.seconds))) }
        return parameters
    }

    private func isStrong(_ token: VerifiedAccessToken) -> Bool {
        acrValues.isEmpty || acrValues.contains { $0 == token.authenticationContext }
    }

    private func isRecent(_ token: VerifiedAccessToken) -> Bool {
        guard let maxAge else { return true }
        guard let authenticated = token.authenticated else { return false }
        return now().timeIntervalSince(authenticated) <= maxAge / .seconds(1)
    }
}
