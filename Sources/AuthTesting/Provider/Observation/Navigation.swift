extension InProcessProvider {
    /// Where a browser ended up.
    public enum Navigation: Sendable, Hashable {
        /// It was led to another address: the callback, its parameters in the query.
        case redirect(to: String)
        /// It stays on a page of the provider's: an error, or the end of a sign-out.
        case page(status: Int, text: String)
        /// It found nobody.
        case unreachable

        /// Where it was led to; nil where it was led nowhere.
        public var redirectURL: String? {
            if case .redirect(let url) = self { url } else { nil }
        }

        /// One parameter of the address that it was led to.
        ///
        /// - Parameter name: The parameter's name.
        /// - Returns: The first value; nil where there is none.
        public func parameter(_ name: String) -> String? {
            guard let query = redirectURL?.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
            return Parameters(formEncoded: query.utf8)?[name]
        }
    }
}
