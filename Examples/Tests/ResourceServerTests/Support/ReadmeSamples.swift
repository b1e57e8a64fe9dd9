// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import ResourceServer

/// The samples of the README, which are compiled and not run.
enum ReadmeSamples {
    /// The whole server.
    static func serve() async throws {
        let keys = RemoteJWKSet(jwksURI: "https://login.example.com/jwks")
        let verifier = AccessTokenVerifier(
            issuer: "https://login.example.com",
            audience: "https://api.example.com",
            keys: keys
        )
        let router = Router(context: AccessTokenRequestContext.self)
        router.add(middleware: AccessTokenMiddleware(verifier: verifier, baseURL: "https://api.example.com"))
        router.get("hello") { _, context in try "Hello, \(context.requireAccessToken().subject)" }
        try await Application(router: router).runService()
    }

    /// A route that needs more than a valid token.
    static func addTransfers(to router: Router<AccessTokenRequestContext>) {
        router.group("transfers")
            .add(middleware: AccessRequirement(scope: ["transfer"], acrValues: ["mfa"], maxAge: .seconds(300)))
            .post { _, context in try "Transferred for \(context.requireAccessToken().subject)" }
    }
}
