// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of the token endpoint.
///
/// Contains the provider's error code and text, sanitized, and nothing of the request.
public struct TokenEndpointError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unreachable
            case serverFailed
            case rateLimited
            case redirected
            case refused
            case malformedResponse
            case invalidResponse
            case invalidIDToken
        }

        private let value: Value

        /// No response came; ``TokenEndpointError/underlying`` is the `APIError`.
        public static let unreachable = Code(value: .unreachable)
        /// The provider failed, with status 408, 425 or 500 and above.
        public static let serverFailed = Code(value: .serverFailed)
        /// The provider demands a pause, with status 429.
        public static let rateLimited = Code(value: .rateLimited)
        /// The provider sent a redirect, which is not followed: a code or a token is sent to one URL only.
        public static let redirected = Code(value: .redirected)
        /// The provider refused; ``TokenEndpointError/oauthCode`` is its code.
        public static let refused = Code(value: .refused)
        /// The response doesn't have the form that the specification requires.
        public static let malformedResponse = Code(value: .malformedResponse)
        /// The response has a token that must not be used, or a token type that was not requested.
        public static let invalidResponse = Code(value: .invalidResponse)
        /// The ID token was refused; ``TokenEndpointError/underlying`` is the ``IDTokenError``.
        public static let invalidIDToken = Code(value: .invalidIDToken)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The provider's error code, if it sent one.
    public let oauthCode: OAuthErrorCode?
    /// The provider's error text, if it sent one; sanitized and limited in length.
    public let oauthDescription: String?
    /// The response's status, if one came.
    public let status: Int?
    /// The pause that the provider demands, if it sent `Retry-After`.
    public let retryAfter: Duration?
    /// Whether the response is a page, which comes from something in front of the provider.
    package let isPage: Bool
    /// The pause between polls of the device flow that the provider demands with `slow_down`, if it names one.
    let interval: Duration?
    /// The underlying error, if any.
    public let underlying: (any Error)?

    /// Creates an error, for clients and their test doubles.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - oauthCode: The provider's error code, sanitized and limited in length. Shown: must hold no secret.
    ///   - oauthDescription: The provider's error text, sanitized and limited in length. Shown: must hold no secret.
    ///   - status: The response's status.
    ///   - retryAfter: The pause that the provider demands.
    ///   - underlying: The underlying error.
    public init(
        _ code: Code,
        oauthCode: OAuthErrorCode? = nil,
        oauthDescription: String? = nil,
        status: Int? = nil,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.oauthCode = oauthCode
        self.oauthDescription = oauthDescription
        self.status = status
        self.retryAfter = retryAfter
        isPage = false
        interval = nil
        self.underlying = underlying
    }

    init(
        _ code: Code,
        _ refusal: OAuthErrorResponse?,
        status: Int,
        retryAfter: Duration? = nil,
        isPage: Bool = false
    ) {
        self.isPage = isPage
        self.code = code
        oauthCode = refusal?.code
        oauthDescription = refusal?.message
        self.status = status
        self.retryAfter = retryAfter
        interval = refusal?.interval
        underlying = nil
    }

    /// Returns whether both errors have the same code and the same provider's code.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.oauthCode == right.oauthCode
    }

    /// The error in one sentence.
    public var description: String {
        switch code {
        case .unreachable: underlying.map { "\($0)" } ?? "The provider can't be reached."
        case .serverFailed: "The provider failed\(status.map { " (status \($0))" } ?? "")."
        case .rateLimited: "The provider is limiting requests\(oauthCode.map { " (\($0))" } ?? "")."
        case .redirected: "The provider sent a redirect, which is not followed."
        case .refused:
            "The provider refused the request (\(oauthCode?.rawValue ?? status.map { "status \($0)" } ?? "no reason given"))."
        case .malformedResponse: "The provider's response can't be read."
        case .invalidResponse: "The response of the provider's token endpoint has no usable token."
        default: underlying.map { "\($0)" } ?? "The provider's ID token was refused."
        }
    }
}

extension TokenEndpointError: LocalizedError {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}

extension TokenEndpointError {
    /// Creates the error for a response without a success status, whatever its content type.
    ///
    /// - Parameters:
    ///   - response: The response. Untrusted.
    ///   - settings: The settings, whose wall clock resolves a `Retry-After` date.
    init(_ response: ProviderResponse, _ settings: ProviderSettings) {
        // A failing server's text is for its operators: one was seen to repeat tokens in it.
        let refusal = response.status < 500 ? OAuthErrorResponse(response) : nil
        let code: Code =
            switch response.status {
            case 300..<400: .redirected
            case 429: .rateLimited
            case let status where HTTPFailure.isRetryable(status: status): .serverFailed
            default: .refused
            }
        self.init(
            code,
            refusal,
            status: response.status,
            retryAfter: RetryAfter.duration(in: response.fields, now: settings.now()),
            isPage: refusal == nil && response.isOfType("text/html")
        )
    }
}
