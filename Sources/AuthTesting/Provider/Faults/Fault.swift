// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore
import HTTPTypes

extension InProcessProvider {
    /// One fault of a provider, or of the connection to it.
    public struct Fault: Sendable {
        enum Effect: Sendable {
            /// The request is not carried out: it never arrives.
            case unreachable(TransportError.Code)
            /// The request is not carried out: this response replaces the provider's.
            case response(EndpointResponse)
            /// The request is carried out, and its response does not arrive.
            case responseLost(TransportError.Code)
            /// The request is carried out, and its response does not arrive before this function returns.
            case delayed(@Sendable () async throws -> Void)
            /// A member of the JSON response; nil to remove it.
            case member(String, JSONValue?)
            /// A header field of the response; nil to remove it.
            case field(String, String?)
            /// A claim of a signed JWT, or of the userinfo response; nil to remove it.
            case claim(String, JSONValue?)
            /// The kind of fault in a JWT's signature or header.
            case signature(Signature)
            /// A parameter of the callback; nil to remove it.
            case parameter(String, String?)
            /// A second copy of a callback parameter: with another value, or nil for the same value.
            case repeatedParameter(String, String?)
        }

        /// The kinds of fault in a JWT's signature or header.
        public enum Signature: Sendable, Hashable {
            /// The signature belongs to another text.
            case wrong
            /// The token has no signature, and the header declares it: `alg` `none`.
            case unsigned
            /// The signature is `HS256` with the client's secret, or with the public key of a public client.
            case hs256
            /// The signature is valid for a key in the header: `jwk`.
            case keyInHeader
            /// The signature is valid for an unpublished key with an unpublished key ID.
            case unknownKey
            /// The signature is valid, and the header names no key.
            case withoutKeyID
            /// The signature is valid, and the header requires an unknown extension: `crit`.
            case unknownCriticalHeader
        }

        let endpoint: Endpoint
        let effect: Effect

        private init(_ effect: Effect, at endpoint: Endpoint) {
            self.effect = effect
            self.endpoint = endpoint
        }

        // MARK: The request is not carried out

        /// Loses the request before it arrives, with an error that says so.
        public static func unreachable(
            at endpoint: Endpoint,
            as code: TransportError.Code = .connectionRefused
        ) -> Self {
            Self(.unreachable(code), at: endpoint)
        }

        /// Responds with an OAuth error, such as `temporarily_unavailable` or `invalid_client`.
        ///
        /// At the authorization endpoint the error goes to the callback.
        public static func error(
            _ code: String,
            description: String? = nil,
            status: Int = 400,
            at endpoint: Endpoint
        ) -> Self {
            var members: [String: JSONValue] = ["error": .string(code)]
            if let description { members["error_description"] = .string(description) }
            return Self(.response(EndpointResponse(members, status: status)), at: endpoint)
        }

        /// Responds with a status and no body, like an overloaded server: 429, 503.
        ///
        /// - Parameter retryAfter: The value of `Retry-After`, in whole seconds; nil to omit the field.
        public static func status(_ status: Int, retryAfter: Duration? = nil, at endpoint: Endpoint) -> Self {
            var response = EndpointResponse(status: status)
            if let retryAfter { response.fields[.retryAfter] = String(retryAfter.components.seconds) }
            return Self(.response(response), at: endpoint)
        }

        /// Responds with a page instead of JSON, as captive portals and proxies do.
        public static func html(status: Int = 200, at endpoint: Endpoint) -> Self {
            let page = "<!doctype html><title>Welcome</title><p>Sign in to the network.</p>"
            return body(page, type: "text/html", status: status, at: endpoint)
        }

        /// Responds with any text.
        public static func body(
            _ text: String,
            type: String = "application/json",
            status: Int = 200,
            at endpoint: Endpoint
        ) -> Self {
            Self(.response(EndpointResponse(status: status, content: .text(text, type: type))), at: endpoint)
        }

        /// Redirects the request to another URL, to which a client must not send a secret.
        ///
        /// - Parameter status: 307 to repeat the request at the target, 302 or 303 to fetch the target.
        public static func redirect(to url: String, status: Int = 307, at endpoint: Endpoint) -> Self {
            Self(.response(EndpointResponse(status: status, fields: [.location: url])), at: endpoint)
        }

        // MARK: The request is carried out

        /// Loses the response, with an error that says that the request may have reached the server.
        public static func dropResponse(
            at endpoint: Endpoint,
            as code: TransportError.Code = .connectionClosed
        ) -> Self {
            Self(.responseLost(code), at: endpoint)
        }

        /// Delays the response.
        ///
        /// - Parameter wait: The function to await before the response arrives, such as a test clock's or a gate's. If
        ///   it throws, the sender gets its error instead.
        public static func delayResponse(
            at endpoint: Endpoint,
            until wait: @escaping @Sendable () async throws -> Void
        ) -> Self {
            Self(.delayed(wait), at: endpoint)
        }

        /// Sets a header field of the response; nil removes it.
        public static func headerField(_ name: String, _ value: String?, at endpoint: Endpoint) -> Self {
            Self(.field(name, value), at: endpoint)
        }

        /// Sets a member of the JSON response, such as `token_type` to `mac`; nil removes it.
        public static func responseMember(_ name: String, _ value: JSONValue?, at endpoint: Endpoint = .token) -> Self {
            Self(.member(name, value), at: endpoint)
        }

        /// Sets a claim, and keeps the signature valid; nil removes it.
        ///
        /// - Parameter endpoint: `token` for the ID token, `userInfo` for the userinfo response, signed or not.
        public static func claim(_ name: String, _ value: JSONValue?, at endpoint: Endpoint = .token) -> Self {
            Self(.claim(name, value), at: endpoint)
        }

        /// Makes the signature or the header of a JWT faulty.
        ///
        /// - Parameter endpoint: `token` for the ID token, `userInfo` for the signed userinfo response.
        public static func signature(_ signature: Signature, at endpoint: Endpoint = .token) -> Self {
            Self(.signature(signature), at: endpoint)
        }

        /// Sets a parameter of the callback, such as `iss` or `state`; nil removes it.
        public static func callbackParameter(_ name: String, _ value: String?) -> Self {
            Self(.parameter(name, value), at: .authorization)
        }

        /// Repeats a parameter of the callback, with another value if there is a second one.
        public static func duplicatingCallbackParameter(_ name: String, second value: String? = nil) -> Self {
            Self(.repeatedParameter(name, value), at: .authorization)
        }
    }
}
