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
            case invalidRequest
            case bodyFailed
            case bodyAlreadySent
            case proxyRefused
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
        /// The request can't be sent as it is: its address or a header field has characters that HTTP forbids, or
        /// is one that the transport writes itself.
        public static let invalidRequest = Code(value: .invalidRequest)
        /// The request's body could not be produced; ``TransportError/underlying`` says why.
        public static let bodyFailed = Code(value: .bodyFailed)
        /// The request's body can be sent once, and was.
        public static let bodyAlreadySent = Code(value: .bodyAlreadySent)
        /// The proxy would not pass the request on.
        public static let proxyRefused = Code(value: .proxyRefused)
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
        case .invalidRequest: "The request is not one that can be sent."
        case .bodyFailed: "What the request was to carry could not be read."
        case .bodyAlreadySent: "What the request was to carry can't be sent a second time."
        case .proxyRefused: "The proxy did not let the request through."
        default: "The request could not be carried out."
        }
    }
}

extension TransportError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
