// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

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

        let endpoint: Endpoint
        let effect: Effect

        init(_ effect: Effect, at endpoint: Endpoint) {
            self.effect = effect
            self.endpoint = endpoint
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
    }
}
