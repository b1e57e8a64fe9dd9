// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The usual causes of a sign-in whose browser doesn't return, with the values that were sent.
///
/// A provider that refuses the redirect URI, the client or a scope shows its own page and does not redirect.
public struct SignInHelp: Sendable, Hashable, CustomStringConvertible {
    /// A value that the provider may have refused.
    public struct Cause: Sendable, Hashable {
        /// The name of the value on the wire, such as `redirect_uri`.
        public let name: String
        /// The value as it was sent; not secret.
        public let value: String
        /// The provider's condition for the value, as a sentence.
        public let advice: String
    }

    /// The values, in the order in which providers check them.
    public let causes: [Cause]

    /// Creates the help for a request.
    ///
    /// - Parameter request: The request that the browser was opened for.
    public init(_ request: AuthorizationRequest) {
        let advice = request.provider.issuer.profile.advice
        let scope = request.parameters.scope?.description ?? ""
        let all = [
            Cause(
                name: "client_id",
                value: request.clientID,
                advice: Self.sentence(advice.client, "The client must be registered as a native app, a public client")
            ),
            Cause(
                name: "redirect_uri",
                value: request.redirectURI,
                advice: Self.sentence(
                    advice.redirect,
                    "The client's settings must list it; if the provider compares the port, use a fixed one"
                )
            ),
            Cause(
                name: "scope",
                value: scope,
                advice: Self.sentence(advice.scope, "The provider must offer each scope, and the client may request it")
            ),
        ]
        causes = all.filter { !$0.value.isEmpty }
    }

    private static func sentence(_ known: String, _ usual: String) -> String { (known.isEmpty ? usual : known) + "." }

    /// One line for each value.
    public var description: String {
        causes.map { "\($0.name) \($0.value): \($0.advice)" }.joined(separator: "\n")
    }
}
