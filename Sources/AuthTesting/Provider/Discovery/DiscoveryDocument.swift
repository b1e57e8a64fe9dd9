// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

extension ProviderState {
    /// Returns the provider's metadata.
    ///
    /// [OpenID Connect Discovery 1.0, 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata).
    func discovery(_ exchange: Exchange) -> EndpointResponse {
        guard exchange.request.method == .get else { return EndpointResponse(status: 405) }
        return EndpointResponse(endpoints.merging(capabilities) { $1 })
    }

    private var endpoints: [String: JSONValue] {
        let names: [String: Endpoint] = [
            "authorization_endpoint": .authorization,
            "token_endpoint": .token,
            "userinfo_endpoint": .userInfo,
            "jwks_uri": .jwks,
            "revocation_endpoint": .revocation,
            "end_session_endpoint": .endSession,
            "device_authorization_endpoint": .deviceAuthorization,
            "pushed_authorization_request_endpoint": .pushedAuthorizationRequest,
            "registration_endpoint": .registration,
        ]
        return names.mapValues { .string(address.url($0)) }
    }

    private var capabilities: [String: JSONValue] {
        let algorithms = JSONValue.strings(keys.algorithms)
        let authentication = JSONValue.strings(Client.Authentication.allCases.map(\.rawValue))
        return [
            "issuer": .string(address.issuer),
            "response_types_supported": .strings(["code"]),
            "response_modes_supported": .strings(["query"]),
            "grant_types_supported": .strings(GrantType.allCases.map(\.rawValue).sorted()),
            "subject_types_supported": .strings(["public"]),
            "scopes_supported": .strings(configuration.scope.values),
            "claims_supported": .strings([
                "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "acr", "name", "email",
                "email_verified",
            ]),
            "code_challenge_methods_supported": .strings(["S256"]),
            "prompt_values_supported": .strings(["none", "login", "consent", "select_account"]),
            "token_endpoint_auth_methods_supported": authentication,
            "revocation_endpoint_auth_methods_supported": authentication,
            "id_token_signing_alg_values_supported": algorithms,
            "userinfo_signing_alg_values_supported": algorithms,
            "dpop_signing_alg_values_supported": .strings(["ES256"]),
            "authorization_response_iss_parameter_supported": .boolean(true),
            "require_pushed_authorization_requests": .boolean(configuration.requiresPushedAuthorizationRequests),
            "claims_parameter_supported": .boolean(true),
            "request_parameter_supported": .boolean(false),
            "request_uri_parameter_supported": .boolean(false),
        ]
    }
}
