// SPDX-License-Identifier: Apache-2.0

extension InProcessProvider {
    /// The outcome of a browser's request.
    public enum Navigation: Sendable, Hashable {
        /// The browser was redirected to another URL: the callback, with its parameters in the query.
        case redirect(to: String)
        /// The browser stays on a page of the provider: an error, or the end of a sign-out.
        case page(status: Int, text: String)
        /// The browser reached no server.
        case unreachable

        /// The target of the redirect; nil if the browser was not redirected.
        public var redirectURL: String? {
            if case .redirect(let url) = self { url } else { nil }
        }

        /// Returns the first value of a parameter of the redirect's URL; nil if there is no such parameter.
        public func parameter(_ name: String) -> String? {
            guard let query = redirectURL?.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
            return Parameters(formEncoded: query.utf8)?[name]
        }
    }
}
