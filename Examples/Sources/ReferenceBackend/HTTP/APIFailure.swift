// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// An error response, with its status, the code for a program and the sentence for the user.
///
/// No message contains a token, a password or any other value from the client.
struct APIFailure: Error, Sendable {
    let status: HTTPResponse.Status
    let code: String
    let message: String
    let headers: HTTPFields

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers
    }
}

extension APIFailure {
    static let internalError = APIFailure(.internalServerError, "internal_error", "Something went wrong.")
    static let notFound = APIFailure(.notFound, "not_found", "Nothing exists at this address.")
    static let tooLarge = APIFailure(.contentTooLarge, "request_too_large", "The request is too large.")
    static let invalidAPIKey = APIFailure(.unauthorized, "invalid_api_key", "The API key is missing or wrong.")

    /// Contract B's response to a wrong password and to an unknown address alike.
    static let invalidCredentials = APIFailure(
        .unauthorized,
        "invalid_credentials",
        "The e-mail address or the password is wrong."
    )

    /// Contract A's response to a one-time code that can't be redeemed, or not with this verifier.
    ///
    /// [RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
    static let invalidGrant = APIFailure(
        .badRequest,
        "invalid_grant",
        "The sign-in was used before, has expired, or belongs to another app. Sign in again."
    )

    static func invalidRequest(_ message: String) -> APIFailure {
        APIFailure(.badRequest, "invalid_request", message)
    }

    /// Returns the failure of a change to the profile, with a message for the user.
    static func invalidProfile(_ message: String) -> APIFailure {
        APIFailure(.unprocessableContent, "invalid_profile", message)
    }

    static func methodNotAllowed(allowed: [String]) -> APIFailure {
        APIFailure(
            .methodNotAllowed,
            "method_not_allowed",
            "The method is not allowed here.",
            headers: [.allow: allowed.joined(separator: ", ")]
        )
    }

    static func rateLimited(retryAfter seconds: Int) -> APIFailure {
        APIFailure(
            .tooManyRequests,
            "rate_limited",
            "Too many attempts. Try again later.",
            headers: [.retryAfter: String(seconds)]
        )
    }

    /// Returns the failure of an account with another role: one Apple account can't be both customer and driver.
    static func roleConflict(registered: AccountRole, requested: AccountRole) -> APIFailure {
        APIFailure(
            .conflict,
            "role_conflict",
            "This account is registered as a \(registered.rawValue). "
                + "Contact support to become a \(requested.rawValue)."
        )
    }
}

// [RFC 6750, 3](https://www.rfc-editor.org/rfc/rfc6750#section-3): a request without a token gets a challenge without
// an error. An invalid token gets `invalid_token`.
extension APIFailure {
    static let missingToken = APIFailure(
        .unauthorized,
        "missing_token",
        "The request has no Bearer token.",
        headers: [.wwwAuthenticate: "Bearer"]
    )

    static let invalidToken = refusedToken("invalid_token", "The token is not valid.")
    static let tokenExpired = refusedToken("token_expired", "The token has expired.")
    static let sessionEnded = refusedToken("session_ended", "The session has ended. Sign in again.")

    private static func refusedToken(_ code: String, _ message: String) -> APIFailure {
        APIFailure(
            .unauthorized,
            code,
            message,
            headers: [.wwwAuthenticate: #"Bearer error="invalid_token""#]
        )
    }
}
