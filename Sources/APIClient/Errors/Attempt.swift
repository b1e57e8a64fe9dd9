/// One sending that was followed by another one.
public struct Attempt: Sendable, Hashable {
    /// What the next sending was for.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case retry
            case otherToken
            case otherProof
            case redirect
        }

        private let value: Value

        /// The same again, after a fault that may pass.
        public static let retry = Kind(value: .retry)
        /// The same with another access token, after a 401.
        public static let otherToken = Kind(value: .otherToken)
        /// The same with the server's nonce in its proof of possession.
        public static let otherProof = Kind(value: .otherProof)
        /// Where a redirect leads.
        public static let redirect = Kind(value: .redirect)

        /// The kind's name.
        public var description: String { value.rawValue }
    }

    /// What the next sending was for.
    public let kind: Kind
    /// The answer's status, where one came.
    public let status: Int?
    /// What happened below HTTP, where no answer came.
    public let fault: TransportError.Code?
    /// How long the next sending waited.
    public let pause: Duration

    /// Makes an attempt, for clients and their doubles.
    ///
    /// - Parameters:
    ///   - kind: What the next sending was for.
    ///   - status: The answer's status.
    ///   - fault: What happened below HTTP.
    ///   - pause: How long the next sending waited.
    public init(_ kind: Kind, status: Int? = nil, fault: TransportError.Code? = nil, pause: Duration = .zero) {
        self.kind = kind
        self.status = status
        self.fault = fault
        self.pause = pause
    }
}
