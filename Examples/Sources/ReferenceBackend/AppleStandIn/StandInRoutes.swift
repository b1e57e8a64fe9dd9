internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The stand-in's routes, except for the token endpoint.
///
/// A shell script replaces the browser with two curl commands. `QUERY` is the authorization URL's query. The hidden
/// fields of the page repeat it, so the script can post the query itself and add the user and the button:
///
///     curl -fsS "$STANDIN/auth/authorize?$QUERY" >page.html
///     curl -sS -o /dev/null -w '%{redirect_url}' --data "$QUERY" --data-urlencode email=person@example.com \
///         --data-urlencode 'name=Example Person' --data action=continue "$STANDIN/auth/authorize"
///
/// The second prints the redirect to the app with `code`, `state` and `iss`. `curl -fsS` on it completes the sign-in.
struct StandInRoutes: Sendable {
    let key: StandInKey
    let clients: Set<String>
    let codes: AuthorizationCodes
    let host: String
    let now: @Sendable () -> Date
    let onIssue: (@Sendable (IssuedToken) async -> Void)?

    static let methods: [String: Set<String>] = [
        "/.well-known/openid-configuration": ["GET"],
        "/auth/keys": ["GET"],
        "/auth/authorize": ["GET", "POST"],
        "/auth/token": ["POST"],
    ]

    /// Returns the origin of a server on a host and port.
    static func origin(host: String, port: Int) -> String {
        "http://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }

    /// Adds the routes.
    func add(to router: Router<BackendContext>) {
        router.get("/.well-known/openid-configuration") { _, context in
            try JSONResponse.make(ProviderMetadata(issuer: origin(context)))
        }
        router.get("/auth/keys") { _, _ in try JSONResponse.make(KeySetBody(key)) }
        router.get("/auth/authorize") { request, context in
            guard let fields = FormFields(encoded: request.uri.query ?? "") else {
                return SignInPage.refusal("The request is malformed.")
            }
            return await answer(fields, context) { SignInPage.signIn($0) }
        }
        router.post("/auth/authorize") { request, context in
            guard let fields = try await Self.form(request) else {
                return SignInPage.refusal("The form is malformed.")
            }
            return await answer(fields, context) { await decide($0, fields: fields, issuer: origin(context)) }
        }
        StandInTokenEndpoint(key: key, codes: codes, now: now, onIssue: onIssue)
            .add(to: router) { origin($0) }
    }

    /// Returns the form in a request's body, or nil if there is no valid form.
    static func form(_ request: Request) async throws -> FormFields? {
        guard JSONRequest.mediaType(of: request) == "application/x-www-form-urlencoded" else { return nil }
        return FormFields(encoded: String(buffer: try await JSONRequest.body(of: request)))
    }

    private func origin(_ context: BackendContext) -> String {
        Self.origin(host: host, port: context.localPort)
    }

    private func answer(
        _ fields: FormFields,
        _ context: BackendContext,
        accepted: (AuthorizationRequest) async -> Response
    ) async -> Response {
        do {
            return await accepted(try AuthorizationRequest(fields: fields, clients: clients))
        } catch AuthorizationRequest.Refusal.redirect(let target, let error, let state) {
            return Self.redirect(to: target, [("error", error), ("state", state), ("iss", origin(context))])
        } catch AuthorizationRequest.Refusal.page(let message) {
            return SignInPage.refusal(message)
        } catch {
            return SignInPage.refusal("The request is malformed.")
        }
    }

    private func decide(_ request: AuthorizationRequest, fields: FormFields, issuer: String) async -> Response {
        let target = request.redirectURI
        guard fields["action"] == "continue" else {
            return Self.redirect(
                to: target,
                [("error", "access_denied"), ("state", request.state), ("iss", issuer)]
            )
        }
        guard let email = fields["email"], (3...320).contains(email.utf8.count), email.contains("@") else {
            return SignInPage.refusal("An e-mail address is required.")
        }
        guard let code = codes.code(for: request, email: AccountStore.normalized(email)) else {
            return Self.redirect(
                to: target,
                [("error", "temporarily_unavailable"), ("state", request.state), ("iss", issuer)]
            )
        }
        await onIssue?(IssuedToken(.authorizationCode, code))
        return Self.redirect(to: target, [("code", code), ("state", request.state), ("iss", issuer)])
    }

    /// Redirects to the app with status 303, so that the form's POST becomes a GET.
    ///
    /// `iss` is [RFC 9207](https://www.rfc-editor.org/rfc/rfc9207).
    private static func redirect(to target: String, _ parameters: [(String, String?)]) -> Response {
        let query = parameters.compactMap { name, value in value.map { "\(name)=\(FormFields.encode($0))" } }
        let separator = target.contains("?") ? "&" : "?"
        return Response(
            status: .seeOther,
            headers: [.location: target + separator + query.joined(separator: "&"), .cacheControl: "no-store"]
        )
    }
}
