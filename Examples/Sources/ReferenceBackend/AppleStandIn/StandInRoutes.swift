// SPDX-License-Identifier: Apache-2.0

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
/// `Examples/Support/browser` is a shell script that replaces the browser with curl commands. The hidden fields of the
/// page repeat the authorization URL's query, so the script posts the query itself and adds the user and the button.
/// The response is a page with a form, which the script posts to the client's return URL.
struct StandInRoutes: Sendable {
    let key: StandInKey
    let clients: StandInClients
    let codes: OneTimeValues<StandInGrant>
    let firstSignIns: FirstSignIns
    /// The address on this machine that stands for the return URL's origin, if the public address is not a real one.
    let delivery: DeliveryAddress
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
                return SignInPage.refusal("invalid_request", "The request is malformed.")
            }
            return await answer(fields, context) { SignInPage.signIn($0) }
        }
        router.post("/auth/authorize") { request, context in
            guard let fields = try await FormFields.form(of: request) else {
                return SignInPage.refusal("invalid_request", "The form is malformed.")
            }
            return await answer(fields, context) { await decide($0, fields: fields, issuer: origin(context)) }
        }
        StandInTokenEndpoint(key: key, clients: clients, codes: codes, now: now, onIssue: onIssue)
            .add(to: router) { origin($0) }
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
            return BrowserRedirect.response(
                to: target,
                [("error", error), ("state", state), ("iss", origin(context))]
            )
        } catch AuthorizationRequest.Refusal.page(let error, let message) {
            return SignInPage.refusal(error, message)
        } catch {
            return SignInPage.refusal("invalid_request", "The request is malformed.")
        }
    }

    private func decide(_ request: AuthorizationRequest, fields: FormFields, issuer: String) async -> Response {
        guard fields["action"] == "continue" else {
            switch request.kind {
            // Apple's own code for a user who cancels.
            case .web: return post([("error", "user_cancelled_authorize")], to: request)
            case .native: return redirect([("error", "access_denied")], to: request, issuer: issuer)
            }
        }
        guard let email = fields["email"], (3...320).contains(email.utf8.count), email.contains("@") else {
            return SignInPage.refusal("invalid_request", "An e-mail address is required.")
        }
        let code = codes.key(for: StandInGrant(request: request, email: AccountStore.normalized(email)))
        await onIssue?(IssuedToken(.authorizationCode, code))
        guard case .web(let scope) = request.kind else {
            return redirect([("code", code)], to: request, issuer: issuer)
        }
        var response = [("code", code)]
        if !scope.isDisjoint(with: ["name", "email"]),
            firstSignIns.isFirst(AppleStandIn.subject(email: email), at: request.clientID)
        {
            let name = scope.contains("name") ? fields["name"] : nil
            let user = StandInUser(name: name, email: scope.contains("email") ? email : nil)
            if let text = user.text { response.append(("user", text)) }
        }
        return post(response, to: request)
    }

    /// Posts a response to the client's return URL.
    private func post(_ fields: [(String, String)], to request: AuthorizationRequest) -> Response {
        let state = request.state.map { [("state", $0)] } ?? []
        return SignInPage.post(to: delivery.address(for: request.redirectURI), state + fields)
    }

    /// Redirects to a native app.
    ///
    /// `iss` is [RFC 9207](https://www.rfc-editor.org/rfc/rfc9207).
    private func redirect(_ fields: [(String, String)], to request: AuthorizationRequest, issuer: String) -> Response {
        BrowserRedirect.response(
            to: request.redirectURI,
            fields.map { ($0, $1) } + [("state", request.state), ("iss", issuer)]
        )
    }
}
