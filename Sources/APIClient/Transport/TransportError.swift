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
        /// The code's name.
        public let description: String

        /// No server listens at the address, or there is no route to it.
        public static let connectionRefused = Code(description: "connectionRefused")
        /// The host's name has no address.
        public static let hostNotFound = Code(description: "hostNotFound")
        /// The response did not come in time.
        public static let timedOut = Code(description: "timedOut")
        /// The connection ended before the response did.
        public static let connectionClosed = Code(description: "connectionClosed")
        /// No trusted TLS connection could be made; ``TransportError/reason`` says what is wrong with a certificate.
        public static let insecureConnection = Code(description: "insecureConnection")
        /// The response is larger than the request allows.
        public static let responseTooLarge = Code(description: "responseTooLarge")
        /// The request can't be sent as it is: its address or a header field has characters that HTTP forbids, or
        /// is one that the transport writes itself.
        public static let invalidRequest = Code(description: "invalidRequest")
        /// The request's ``TransportRequest/sendGuard`` returned false.
        public static let notSent = Code(description: "notSent")
        /// The proxy refused to pass the request on.
        public static let proxyRefused = Code(description: "proxyRefused")
        /// Another error below HTTP; ``TransportError/underlying`` is the cause, if there is one.
        public static let failed = Code(description: "failed")
    }

    /// What is wrong with a certificate.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The reason's name.
        public let description: String
        fileprivate let sentence: String

        private init(_ description: String, _ sentence: String) {
            (self.description, self.sentence) = (description, sentence)
        }

        /// No trusted authority issued the server's certificate, or the server does not send the whole chain.
        public static let issuerUnknown = Reason(
            "issuerUnknown",
            "No trusted authority issued the server's certificate."
        )
        /// The server's certificate is for another name.
        public static let nameMismatch = Reason("nameMismatch", "The server's certificate is for another name.")
        /// The server's certificate has expired by this device's clock.
        public static let expired = Reason("expired", "The server's certificate has expired.")
        /// The server's certificate is not valid yet by this device's clock.
        public static let notYetValid = Reason("notYetValid", "The server's certificate is not valid yet.")
        /// The server's certificate was revoked.
        public static let revoked = Reason("revoked", "The server's certificate was revoked.")
        /// The server wants a client certificate, or refuses the one that it got.
        public static let clientCertificateRefused = Reason(
            "clientCertificateRefused",
            "The server requires a client certificate that it accepts."
        )
    }

    /// The kind of error.
    public let code: Code
    /// Whether the server may have received the request.
    ///
    /// False only if it surely has not: such a request is safe to repeat.
    public let mayHaveReachedServer: Bool
    /// What is wrong with a certificate; nil for any other error, and if the HTTP client does not say.
    public let reason: Reason?
    /// The error of the HTTP client; nil if there is no other error.
    public let underlying: (any Error)?

    /// Creates an error, for transports and their test doubles.
    public init(_ code: Code, mayHaveReachedServer: Bool, reason: Reason? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.mayHaveReachedServer = mayHaveReachedServer
        self.reason = reason
        self.underlying = underlying
    }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// A sentence that describes the error.
    public var description: String {
        if let reason { return reason.sentence }
        return switch code {
        case .connectionRefused: "The server can't be reached."
        case .hostNotFound: "The server's host name could not be resolved."
        case .timedOut: "The server did not respond in time."
        case .connectionClosed: "The connection closed before the response was complete."
        case .insecureConnection: "No trusted TLS connection to the server could be made."
        case .responseTooLarge: "The response is too large."
        case .invalidRequest: "The request is invalid."
        case .notSent: "The request was not sent, because it may not be sent any more."
        case .proxyRefused: "The proxy refused the request."
        default: "The request failed."
        }
    }
}

extension TransportError: LocalizedError {
    /// The same sentence, for `localizedDescription`.
    public var errorDescription: String? { description }
}
