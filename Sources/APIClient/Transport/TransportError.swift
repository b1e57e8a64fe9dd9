#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why no answer came.
///
/// Holds no URL and no header.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case connectionRefused
            case hostNotFound
            case timedOut
            case connectionClosed
            case insecureConnection
            case responseTooLarge
            case failed
        }

        private let value: Value

        /// Nobody listens there, or there is no way there.
        public static let connectionRefused = Code(value: .connectionRefused)
        /// The host's name has no address.
        public static let hostNotFound = Code(value: .hostNotFound)
        /// The answer did not come in time.
        public static let timedOut = Code(value: .timedOut)
        /// The connection ended before the answer did.
        public static let connectionClosed = Code(value: .connectionClosed)
        /// No trusted TLS connection could be made.
        public static let insecureConnection = Code(value: .insecureConnection)
        /// The answer is larger than the request allowed.
        public static let responseTooLarge = Code(value: .responseTooLarge)
        /// Another fault below HTTP; ``TransportError/underlying`` has it.
        public static let failed = Code(value: .failed)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// Whether the server may have got the request.
    ///
    /// False only where it surely has not: such a request is safe to repeat.
    public let mayHaveReachedServer: Bool
    /// What the client underneath said, where it said anything.
    public let underlying: (any Error)?

    /// Makes an error, for transports and their doubles.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - mayHaveReachedServer: Whether the server may have got the request.
    ///   - underlying: What the client underneath said.
    public init(_ code: Code, mayHaveReachedServer: Bool, underlying: (any Error)? = nil) {
        self.code = code
        self.mayHaveReachedServer = mayHaveReachedServer
        self.underlying = underlying
    }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence.
    public var description: String {
        switch code {
        case .connectionRefused: "The server can't be reached."
        case .hostNotFound: "The server's name has no address."
        case .timedOut: "The server did not answer in time."
        case .connectionClosed: "The connection ended before the answer did."
        case .insecureConnection: "No trusted TLS connection to the server could be made."
        case .responseTooLarge: "The answer is larger than was allowed."
        default: "The request could not be carried out."
        }
    }
}

extension TransportError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
