// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// [RFC 6749, 3.1](https://www.rfc-editor.org/rfc/rfc6749#section-3.1).
extension ProviderState {
    /// Responds to the browser: with a redirect if that is safe, else with a page.
    mutating func authorization(_ exchange: Exchange) -> EndpointResponse {
        let request: AuthorizationTarget
        do throws(OAuthError) {
            guard exchange.request.method == .get else {
                throw OAuthError("invalid_request", "Only GET is allowed.", status: 405)
            }
            request = try target(try exchange.request.queryParameters(), at: exchange.date)
        } catch {
            return error.page
        }
        var callback = Parameters()
        do throws(OAuthError) {
            callback.append("code", try makeCode(request, at: exchange.date))
        } catch {
            callback.append("error", error.code)
            callback.append("error_description", error.description)
        }
        callback.append("state", request.parameters["state"])
        // RFC 9207, 2: in errors too.
        callback.append("iss", address.issuer)
        return .redirect(to: exchange.faults.applied(to: callback).appended(to: request.redirectURI))
    }

    /// An authorization request with a valid client and redirect URI.
    private struct AuthorizationTarget {
        let parameters: Parameters
        let redirectURI: String
        var dpopThumbprint: String?
    }

    private mutating func target(
        _ parameters: Parameters,
        at date: Date
    ) throws(OAuthError) -> AuthorizationTarget {
        guard let uri = parameters["request_uri"] else {
            let redirectURI = try redirectURI(of: parameters)
            guard !configuration.requiresPushedAuthorizationRequests else {
                throw OAuthError("invalid_request", "Authorization requests must be pushed.")
            }
            return AuthorizationTarget(parameters: parameters, redirectURI: redirectURI)
        }
        let pushed = try takePushedRequest(uri, clientID: parameters["client_id"], at: date)
        return AuthorizationTarget(
            parameters: pushed.parameters,
            redirectURI: try redirectURI(of: pushed.parameters),
            dpopThumbprint: pushed.dpopThumbprint
        )
    }

    private mutating func makeCode(
        _ target: AuthorizationTarget,
        at date: Date
    ) throws(OAuthError) -> String {
        var request = try check(target.parameters, redirectURI: target.redirectURI)
        if let key = target.dpopThumbprint { request.dpopThumbprint = key }
        guard let user = configuration.user else {
            guard !request.prompt.contains("none") else {
                throw OAuthError("login_required", "The user is not signed in.")
            }
            throw OAuthError("access_denied", "The user refused.")
        }
        let code = makeSecret()
        codes[code] = AuthorizationCode(
            request: request,
            user: user,
            signedIn: date,
            expiration: date.adding(configuration.codeLifetime)
        )
        return code
    }

    /// Returns a test's error response; at the authorization endpoint, as a redirect to the callback.
    func redirected(
        _ response: EndpointResponse,
        _ request: ProviderRequest,
        _ endpoint: InProcessProvider.Endpoint
    ) -> EndpointResponse {
        guard endpoint == .authorization, case .members(let members) = response.content,
            let query = Parameters(formEncoded: request.query.utf8)
        else { return response }
        let asked = query["request_uri"].flatMap { pushedRequests[$0]?.parameters } ?? query
        guard let redirectURI = asked["redirect_uri"] else { return response }
        var callback = Parameters()
        callback.append("error", members["error"]?.string)
        callback.append("error_description", members["error_description"]?.string)
        callback.append("state", asked["state"])
        callback.append("iss", address.issuer)
        return .redirect(to: callback.appended(to: redirectURI))
    }
}
