// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

/// The failure of a call to a provider, or of a sign-in at one.
///
/// Holds the provider's error code and text, sanitized, and of the request at most the issuer. Two errors are equal if
/// their operations, codes and reasons are.
public struct OpenIDError: Error, Sendable, Equatable {
    /// The call that failed.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// The metadata of a provider or of an API were fetched.
        case discovery
        /// The app was registered as a client.
        case registration
        /// The browser was sent to the provider, and its response was awaited and checked.
        case authorization
        /// The authorization request was pushed to the provider.
        case pushedAuthorization
        /// A sign-in on another device was started, and the user was awaited.
        case deviceAuthorization
        /// A key was read, or a client assertion was made.
        case clientAssertion
        /// The token endpoint was asked for tokens, and they were checked.
        case token
        /// The claims about the user were requested and checked.
        case userInfo
        /// A token was revoked.
        case revocation
    }

    /// The kind of failure, which means the same for every operation.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The provider has no endpoint for the operation, or doesn't announce that it supports it.
        case unsupported
        /// No response came, no discovery document, or no signing key.
        case unreachable
        /// The provider failed: its status is 408, 425, or 500 and above.
        case serverFailed
        /// The provider demands a pause, with status 429.
        case rateLimited
        /// The provider refused the request; ``OpenIDError/oauthCode`` says why.
        case refused
        /// The response doesn't have the form that the specification requires.
        case malformedResponse
        /// The response can be read, and is refused as unsafe or unusable.
        case invalidResponse
        /// The user cancelled or declined: ``OpenIDError/oauthCode`` tells them apart.
        case cancelled
        /// The user did not return, or did not enter the code, in time.
        case timedOut
        /// The request must not be sent as the app made it.
        case invalidRequest
        /// The client's key or identity token can't be used, and nothing was sent.
        case unusableCredential
        /// No browser could be opened, or no port for its redirect.
        case browserUnavailable
    }

    /// The failed call.
    public let operation: Operation
    /// The kind of failure.
    public let code: Code
    /// The check that failed, for the codes that have several.
    public private(set) var reason: Reason?
    /// The provider's error code, if it sent one: `error`.
    public let oauthCode: OAuthErrorCode?
    /// The provider's error text, if it sent one, sanitized and limited in length: `error_description`.
    public let serverMessage: String?
    /// The response's status, if one came.
    public let status: Int?
    /// The pause that the provider demands, if it sent `Retry-After`.
    public let retryAfter: Duration?
    /// The underlying error, if any, such as an `APIError` without a response, or the ``IDTokenError`` of a token.
    public let underlying: (any Error)?
    /// The issuer or API that a document names in place of the requested one, or the target of a document's redirect.
    ///
    /// Untrusted; sanitized, and limited in length. Nil for any other error.
    public internal(set) var otherAddress: String?
    /// The requested issuer, if the document names another one.
    var requestedAddress: String?
    /// Whether the response is a page, which comes from something in front of the provider.
    package private(set) var isPage = false
    /// The pause between polls of the device flow that the provider demands with `slow_down`, if it names one.
    private(set) var interval: Duration?

    /// Creates an error, for clients, browsers and their test doubles.
    ///
    /// The OAuth code and the message are shown: sanitized, limited in length, without a secret.
    public init(
        _ operation: Operation,
        _ code: Code,
        oauthCode: OAuthErrorCode? = nil,
        serverMessage: String? = nil,
        status: Int? = nil,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil
    ) {
        self.operation = operation
        self.code = code
        self.oauthCode = oauthCode
        self.serverMessage = serverMessage
        self.status = status
        self.retryAfter = retryAfter
        self.underlying = underlying
    }

    /// Creates an error with the check that failed, whose code follows from it.
    public init(
        _ operation: Operation,
        _ reason: Reason,
        oauthCode: OAuthErrorCode? = nil,
        status: Int? = nil,
        underlying: (any Error)? = nil
    ) {
        let cause: (any Error)? = if case .idToken(let error) = reason { error } else { underlying }
        self.init(operation, reason.code, oauthCode: oauthCode, status: status, underlying: cause)
        self.reason = reason
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.operation == right.operation && left.code == right.code && left.reason == right.reason
    }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        // Something in front of the provider has responded, and the token is still valid.
        let isUnrevoked = operation == .revocation && (isPage || reason == .redirected)
        return isUnrevoked || [.unreachable, .serverFailed, .rateLimited].contains(code)
    }

    /// Whether the provider may have received the request; if not, a refresh token, for example, is surely not used up.
    public var mayHaveReachedServer: Bool {
        switch code {
        case .unsupported, .invalidRequest, .unusableCredential, .browserUnavailable: false
        case .unreachable: status != nil || (underlying as? APIError)?.mayHaveReachedServer ?? true
        case .serverFailed, .rateLimited, .refused, .malformedResponse, .invalidResponse, .cancelled, .timedOut: true
        }
    }
}

extension OpenIDError {
    init(_ operation: Operation, _ error: APIError) {
        // A response that exceeds the size limit did arrive, but is useless.
        let isTooLarge = error.code == .malformedResponse && [.token, .discovery].contains(operation)
        self.init(operation, isTooLarge ? .malformedResponse : .unreachable, underlying: error)
    }

    init(_ operation: Operation, _ code: Code, _ refusal: OAuthErrorResponse?, status: Int? = nil) {
        self.init(operation, code, oauthCode: refusal?.code, serverMessage: refusal?.message, status: status)
    }

    /// Creates the error for a response without a success status, whatever its content type.
    ///
    /// The response is untrusted. The wall clock of the settings resolves a `Retry-After` date.
    init(
        _ operation: Operation,
        _ response: ProviderResponse,
        _ settings: ProviderSettings,
        refusal: OAuthErrorResponse? = nil
    ) {
        guard !(300..<400).contains(response.status) else {
            self.init(operation, .redirected, status: response.status)
            return
        }
        // A failing server's text is for its operators: one was seen to repeat tokens in it. One code matters to a session.
        var refusal = refusal ?? OAuthErrorResponse(response)
        let hasFailed = response.status >= 500
        if hasFailed, refusal?.code != .invalidGrant { refusal = nil }
        let code: Code =
            switch response.status {
            case 429: .rateLimited
            case let status where HTTPFailure.isRetryable(status: status): .serverFailed
            default: .refused
            }
        self.init(
            operation,
            code,
            oauthCode: refusal?.code,
            serverMessage: hasFailed ? nil : refusal?.message,
            status: response.status,
            retryAfter: RetryAfter.duration(in: response.fields, now: settings.now())
        )
        isPage = refusal == nil && response.isOfType("text/html")
        interval = refusal?.interval
    }

    /// Returns the error of another operation, with the details of this one.
    func coded(_ operation: Operation, _ code: Code) -> OpenIDError {
        OpenIDError(
            operation,
            code,
            oauthCode: oauthCode,
            serverMessage: serverMessage,
            status: status,
            underlying: self
        )
    }
}

extension OpenIDError {
    /// The check that failed.
    public enum Reason: Sendable, Equatable {
        /// The response doesn't have the request's state.
        case stateMismatch
        /// The response or the document names another issuer, or does not name the issuer as promised.
        case issuerMismatch
        /// The redirect doesn't match the request's redirect URI.
        case redirectMismatch
        /// No pending sign-in expects this response, or the sign-in has expired.
        case noPendingAuthorization
        /// The document is about another API than the requested one, a parent path of it, or its origin (RFC 9728, 3.3).
        case resourceMismatch
        /// The provider doesn't announce that it reads Client ID Metadata Documents.
        case clientIDMetadataDocumentUnsupported
        /// The document lacks members, by their wire names.
        case missingMembers([String])
        /// A member has the wrong type, or is a URL that must not be used.
        case invalidMember(String)
        /// The provider sent a redirect, which is not followed: a code or a token is sent to one URL only.
        case redirected
        /// A token that the provider signed was refused.
        case idToken(IDTokenError)
        /// The claims lack a valid `sub`.
        case missingSubject
        /// The claims are about another user.
        case subjectMismatch

        /// The provider rejected the access token.
        case unauthorized
        /// The access token is for another API; a new one would be rejected too.
        case otherAudience

        /// The scopes are separated by another character than the space, such as a comma.
        case scopeSeparator
        /// Only an API's metadata names the server, whose responses don't contain `iss`, and the redirect URI is not
        /// its own: ``ProviderMetadata/withDistinctRedirect(port:)`` helps.
        case distinctRedirectRequired
        /// The access token is bound to a key that the caller did not supply.
        case missingDPoPKey

        /// The text is no unencrypted private key in PEM, for P-256 or RSA, or a key to register has no public half.
        case unreadableKey
        /// The RSA key has fewer than 2048 bits.
        case keyTooShort
        /// The key can't sign with the algorithm.
        case algorithmMismatch
        /// The client has a private key or identity tokens, and the stored session was opened without them.
        case keyUnavailable
        /// The assertion was not signed, or not within the timeout of a request.
        case signingFailed
        /// The identity token can't be read in time, or its file is not a regular one of at most 64 KiB.
        case identityTokenUnreadable
        /// The identity token is not a signed JWT in the compact form.
        case identityTokenMalformed

        /// No browser could be opened.
        case noBrowser
        /// The listener can't bind the port (nil for any), its redirect is invalid, or it was used or lost its socket.
        case portUnavailable(Int?)

        var code: Code {
            switch self {
            case .stateMismatch, .issuerMismatch, .redirectMismatch, .noPendingAuthorization, .resourceMismatch,
                .missingMembers, .invalidMember, .redirected, .idToken, .missingSubject, .subjectMismatch:
                .invalidResponse
            case .clientIDMetadataDocumentUnsupported: .unsupported
            case .unauthorized, .otherAudience: .refused
            case .scopeSeparator, .distinctRedirectRequired, .missingDPoPKey: .invalidRequest
            case .unreadableKey, .keyTooShort, .algorithmMismatch, .keyUnavailable, .signingFailed,
                .identityTokenUnreadable, .identityTokenMalformed:
                .unusableCredential
            case .noBrowser, .portUnavailable: .browserUnavailable
            }
        }
    }
}
