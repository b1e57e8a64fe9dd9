// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird

/// The routes of the sign-in with Apple that the backend carries out in a browser.
struct AppleRedirectRoutes: Sendable {
    let signIn: AppleRedirectSignIn
    let issuer: SessionTokenIssuer
    let profile: RequiredProfile

    /// The paths that a browser opens, which has no API key.
    static let browserPaths: Set = ["/api/auth/apple/start", AppleRegistration.callbackPath]

    private static let style = """
        body{font:1.1rem/1.5 sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem}
        """

    /// Adds the routes.
    func add(to router: Router<BackendContext>) {
        router.get("/api/auth/apple/start") { request, context in
            guard let fields = FormFields(encoded: request.uri.query ?? "") else {
                return Self.page("The address is malformed. Start the sign-in again in the app.")
            }
            return await Self.response { try await signIn.start(fields, from: context.network) }
        }
        router.post("/api/auth/apple/callback") { request, _ in
            guard let fields = try await FormFields.form(of: request) else {
                return Self.page("The response is malformed. Start the sign-in again in the app.")
            }
            return await Self.response { try await signIn.callback(fields) }
        }
        router.post("/api/auth/apple/redeem") { request, context in
            let account = try await signIn.account(for: request, from: context.network)
            return try await SessionTokenRoutes.response(for: account, issuer, profile)
        }
    }

    private static func response(_ step: () async throws -> AppleRedirectSignIn.Redirect) async -> Response {
        do {
            let redirect = try await step()
            return BrowserRedirect.response(to: redirect.address, redirect.parameters)
        } catch AppleRedirectSignIn.Refusal.noPendingSignIn {
            return page("This sign-in is over. Start it again in the app.")
        } catch {
            return page("This app or its address is not known here.")
        }
    }

    /// Returns an error page, for a browser that can't be sent to an app.
    private static func page(_ sentence: String) -> Response {
        HTMLPage(title: "Not signed in", body: "<h1>Not signed in</h1><p>\(sentence)</p>", style: style)
            .response(status: .badRequest)
    }
}
