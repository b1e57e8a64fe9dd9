import APIClient
import AuthCore

extension InProcessProvider {
    /// One thing that goes wrong at a provider, or on the way to it.
    public struct Fault: Sendable {
        enum Effect: Sendable {
            /// Not carried out: the request never arrives.
            case unreachable(TransportError.Code)
            /// Not carried out: something else answers.
            case answer(ProviderAnswer)
            /// Carried out, and the answer does not arrive.
            case replyLost(TransportError.Code)
            /// Carried out, and the answer does not arrive before this returns.
            case delayed(@Sendable () async throws -> Void)
            /// A member of the JSON answer; nil to leave it out.
            case member(String, JSONValue?)
            /// A header field of the answer; nil to leave it out.
            case field(String, String?)
            /// A claim of what is signed, or of the userinfo answer; nil to leave it out.
            case claim(String, JSONValue?)
            /// How a JWT is signed.
            case signature(Signature)
            /// A parameter of the callback; nil to leave it out.
            case parameter(String, String?)
            /// A parameter of the callback once more: with another value, or as it is.
            case repeatedParameter(String, String?)
        }

        let endpoint: Endpoint
        let effect: Effect

        init(_ effect: Effect, at endpoint: Endpoint) {
            self.effect = effect
            self.endpoint = endpoint
        }

        /// What is wrong with a JWT's signature or its header.
        public enum Signature: Sendable, Hashable {
            /// It is not the signature of this text.
            case wrong
            /// There is none, and the header says so: `alg` `none`.
            case unsigned
            /// `HS256` with the client's secret, or with what is public of the key where there is no secret.
            case hs256
            /// Right, by a key that the header brings along: `jwk`.
            case keyInHeader
            /// Right, by a key that is not published, under a key ID that is not.
            case unknownKey
            /// Right, and the header names no key.
            case withoutKeyID
            /// Right, and the header asks for an extension that nobody knows: `crit`.
            case unknownCriticalHeader
        }
    }
}
