// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error of a request that got no complete response.
///
/// Holds no URL and no header.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
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

        /// No server listens at the address, or there is no route to it.
        public static let connectionRefused = Code(value: .connectionRefused)
        /// The host's name has no address.
        public static let hostNotFound = Code(value: .hostNotFound)
        /// The response did not come in time.
        public static let timedOut = Code(value: .timedOut)
        /// The connection ended before the response did.
        public static let connectionClosed = Code(value: .connectionClosed)
        /// No trusted TLS connection could be made.
        public static let insecureConnection = Code(value: .insecureConnection)
        /// The response is larger than the request allows.
        public static let responseTooLarge = Code(value: .responseTooLarge)
        /// The request can't be sent as it is: its address or a header field has characters that HTTP forbids, or
        /// is one that the transport writes itself.
        public static let invalidRequest = Code(value: .invalidRequest)
        /// The request's body could not be produced or may not be sent any more.
        ///
        /// ``TransportError/underlying`` is the cause, if there is one.
        public static let bodyFailed = Code(value: .bodyFailed)
        /// The request's body can be sent only once, and was sent.
        public static let bodyAlreadySent = Code(value: .bodyAlreadySent)
        /// The proxy refused to pass the request on.
        public static let proxyRefused = Code(value: .proxyRefused)
        /// Another error below HTTP; ``TransportError/underlying`` is the cause, if there is one.
        public static let failed = Code(value: .failed)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// Whether the server may have received the request.
    ///
    /// False only if it surely has not: such a request is safe to repeat.
    public let mayHaveReachedServer: Bool
    /// The error of the HTTP client or of the body; nil if there is no other error.
    public let underlying: (any Error)?

    /// Creates an error, for transports and their test doubles.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - mayHaveReachedServer: Whether the server may have received the request.
    ///   - underlying: The error of the HTTP client or of the body.
    public init(_ code: Code, mayHaveReachedServer: Bool, underlying: (any Error)? = nil) {
        self.code = code
        self.mayHaveReachedServer = mayHaveReachedServer
        self.underlying = underlying
    }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// A sentence that describes the error.
    public var description: String {
        switch code {
        case .connectionRefused: "The server can't be reached."
        case .hostNotFound: "The server's host name could not be resolved."
        case .timedOut: "The server did not respond in time."
        case .connectionClosed: "The connection closed before the response was complete."
        case .insecureConnection: "No trusted TLS connection to the server could be made."
        case .responseTooLarge: "The response is too large."
        case .invalidRequest: "The request is invalid."
        case .bodyFailed: "The request's body could not be sent."
        case .bodyAlreadySent: "The request's body can't be sent a second time."
        case .proxyRefused: "The proxy refused the request."
        default: "The request failed."
        }
    }
}

extension TransportError: LocalizedError {
    /// The same sentence, for `localizedDescription`.
    public var errorDescription: String? { description }
}
