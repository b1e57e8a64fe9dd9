// SPDX-License-Identifier: Apache-2.0

public import Hummingbird

/// The middleware that requires a valid access token, and the DPoP proof of a token that is bound to a key.
public struct AccessTokenMiddleware<Context: AccessTokenContext>: RouterMiddleware {
    private let verifier: AccessTokenVerifier
    private let proofs: DPoPProofVerifier

    /// Creates the middleware, of which a route may have one.
    ///
    /// - Parameters:
    ///   - verifier: The verifier of the tokens.
    ///   - baseURL: The URL under which clients reach this server, such as `https://api.example.com`. A proof names
    ///     the URL of its request, which a server behind a proxy doesn't know otherwise.
    public init(verifier: AccessTokenVerifier, baseURL: String) {
        self.verifier = verifier
        proofs = DPoPProofVerifier(baseURL: baseURL, now: verifier.now)
    }

    /// Verifies the token, then calls the route with the token in its context.
    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.accessToken = try await accessToken(of: request)
        return try await next(request, context)
    }

    private func accessToken(of request: Request) async throws -> VerifiedAccessToken {
        let presented = try PresentedToken(request)
        do {
            let token = try await verifier.verify(presented.text)
            switch (presented.scheme, token.keyThumbprint) {
            case (.bearer, nil): break
            case (.dpop, let thumbprint?):
                try proofs.verify(request, token: presented.text, thumbprint: thumbprint)
            // RFC 9449, 7.2: a bound token is no bearer token. It needs the other scheme.
            case (.bearer, _): throw AccessTokenError(.invalidToken, scheme: .dpop)
            case (.dpop, nil): throw AccessTokenError(.invalidToken)
            }
            return token
        } catch let error as AccessTokenError {
            throw error.withScheme(presented.scheme)
        }
    }
}
