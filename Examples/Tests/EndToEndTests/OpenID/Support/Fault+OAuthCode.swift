// SPDX-License-Identifier: Apache-2.0

import SharedTestSupport
import Testing

/// The provider's OAuth error code, which every message about its refusal names.
extension Fault {
    /// The code by the fault's name, if the fault is a refusal that has one.
    static let oauthCodes = [
        "api-step-up": "insufficient_user_authentication",
        "device-denied": "access_denied",
        "device-expired": "expired_token",
        "dpop-nonce-loop": "use_dpop_nonce",
        "error-access-denied": "access_denied",
        "error-description-hostile": "server_error",
        "error-login-required": "login_required",
        "par-refused": "invalid_request",
        "refresh-invalid-client": "invalid_client",
        "refresh-invalid-grant": "invalid_grant",
        "registration-refused": "invalid_redirect_uri",
        "revocation-unsupported-token-type": "unsupported_token_type",
        "token-400-text-plain-json": "invalid_grant",
        "token-401-invalid-client": "invalid_client",
        "token-error-description-hostile": "invalid_grant",
        "userinfo-401": "invalid_token",
        "userinfo-403-insufficient-scope": "insufficient_scope",
    ]

    /// Expects the first sentence of a message to name the provider's code.
    func expectOAuthCode(in output: Command.Output, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let code = Self.oauthCodes[name] else { return }
        #expect(output.errorText.contains("(\(code))"), "\(output.errorText)", sourceLocation: sourceLocation)
    }
}
