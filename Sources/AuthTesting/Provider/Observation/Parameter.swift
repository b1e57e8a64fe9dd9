extension InProcessProvider {
    /// One parameter of a form or a query, decoded.
    public struct Parameter: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value; may be a secret.
        public let value: String

        init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}
