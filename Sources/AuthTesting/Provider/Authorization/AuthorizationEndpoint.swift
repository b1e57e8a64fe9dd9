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
        var (parameters, thumbprint) = (Parameters(), String?.none)
        let redirectURI: String
        do throws(EndpointError) {
            guard exchange.request.method == .get else {
                throw EndpointError("invalid_request", "Only GET is allowed.", status: 405)
            }
            parameters = try exchange.request.queryParameters()
            let pushedURI = parameters["request_uri"]
            if let pushedURI {
                let pushed = try takePushedRequest(pushedURI, clientID: parameters["client_id"], at: exchange.date)
                (parameters, thumbprint) = (pushed.parameters, pushed.dpopThumbprint)
            }
            redirectURI = try self.redirectURI(of: parameters)
            guard pushedURI != nil || !configuration.requiresPushedAuthorizationRequests else {
                throw .invalidRequest("Authorization requests must be pushed.")
            }
        } catch {
            return error.page
        }
        var callback = Parameters()
        do throws(EndpointError) {
            var request = try check(parameters, redirectURI: redirectURI)
            if let thumbprint { request.dpopThumbprint = thumbprint }
            callback.append("code", try makeCode(request, at: exchange.date))
        } catch {
            callback.append("error", error.code)
            callback.append("error_description", error.description)
        }
        callback.append("state", parameters["state"])
        // RFC 9207, 2: in errors too.
        callback.append("iss", address.issuer)
        return .redirect(to: exchange.faults.applied(to: callback).appended(to: redirectURI))
    }

    private mutating func makeCode(
        _ request: CheckedAuthorizationRequest,
        at date: Date
    ) throws(EndpointError) -> String {
        guard let user = configuration.user else {
            guard !request.prompt.contains("none") else {
                throw EndpointError("login_required", "The user is not signed in.")
            }
            throw EndpointError("access_denied", "The user refused.")
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
        _ endpoint: Endpoint
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
