// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import Hummingbird
internal import ResourceServer

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The route that accepts an OpenID provider's access tokens instead of the backend's own.
///
/// Part of neither contract. The backend's own tokens are HS256 with a key that never leaves it, and are verified by
/// ``BearerTokenSigner``.
struct ProviderJobRoutes: Sendable {
    /// The path of the route.
    static let path = "/api/provider/jobs"

    let provider: ProviderSettings
    let jobs: JobStore
    let client: HTTPClient
    let now: @Sendable () -> Date

    /// Adds the routes.
    func add(to router: Router<BackendContext>) {
        let keys = RemoteJWKSet(
            jwksURI: provider.jwksURI,
            insecurelyAllowHTTP: provider.hasLoopbackKeys,
            client: client,
            now: now
        )
        let verifier = AccessTokenVerifier(
            issuer: provider.issuer,
            audience: provider.audience,
            keys: keys,
            now: now
        )
        router.group(RouterPath(Self.path))
            .add(middleware: AccessTokenMiddleware(verifier: verifier, baseURL: provider.baseURL))
            .get { _, _ in try JSONResponse.make(await jobs.all()) }
    }
}
