// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error of a request that got no complete response.
///
/// Holds no URL and no header.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// The kind of error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        fileprivate enum Value: String {
            case connectionRefused = "The server can't be reached."
            case hostNotFound = "The server's host name could not be resolved."
            case timedOut = "The server did not respond in time."
            case connectionClosed = "The connection closed before the response was complete."
            case insecureConnection = "No trusted TLS connection to the server could be made."
            case responseTooLarge = "The response is too large."
            case invalidRequest = "The request is invalid."
            case invalidSettings = "The transport's settings are invalid."
            case notSent = "The request was not sent, because it was no longer wanted."
            case proxyRefused = "The proxy can't be found or refused the request."
            case failed = "The request failed."
        }

        fileprivate let value: Value

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
        /// No transport can be created with the settings; ``TransportError/reason`` names the faulty one.
        public static let invalidSettings = Code(value: .invalidSettings)
        /// The request's ``TransportRequest/sendGuard`` returned false.
        public static let notSent = Code(value: .notSent)
        /// The proxy's name has no address, or the proxy refused to pass the request on.
        public static let proxyRefused = Code(value: .proxyRefused)
        /// Another error below HTTP; ``TransportError/underlying`` is the cause, if there is one.
        public static let failed = Code(value: .failed)

        /// The code's name.
        public var description: String { "\(value)" }
    }

    /// The reason for which a TLS connection is not trusted, or settings are invalid.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case issuerUnknown = "The server's certificate has an unknown issuer."
            case nameMismatch = "The server's certificate is for another name."
            case expired = "The server's certificate has expired."
            case notYetValid = "The server's certificate is not valid yet."
            case otherCertificateFault = "The server's certificate is not valid."
            case clientCertificate = "The client certificate or its key can't be used."
            case certificateAuthorities = "The file of certificate authorities can't be used."
            case proxy = "The proxy's URL is invalid."
        }

        private let value: Value

        /// No trusted authority issued the server's certificate, or it is self-signed.
        public static let issuerUnknown = Reason(value: .issuerUnknown)
        /// The server's certificate is for another host.
        public static let nameMismatch = Reason(value: .nameMismatch)
        /// A certificate in the server's chain has expired, or this machine's clock is wrong.
        public static let expired = Reason(value: .expired)
        /// A certificate in the server's chain is not valid yet, or this machine's clock is wrong.
        public static let notYetValid = Reason(value: .notYetValid)
        /// The server's certificate is not valid for another reason.
        public static let otherCertificateFault = Reason(value: .otherCertificateFault)
        /// The files of the client certificate and its key are missing, damaged, encrypted or don't belong together.
        public static let clientCertificate = Reason(value: .clientCertificate)
        /// The file of certificate authorities is missing or damaged, or holds none in PEM.
        public static let certificateAuthorities = Reason(value: .certificateAuthorities)
        /// The proxy's URL is invalid, or has an unknown scheme.
        public static let proxy = Reason(value: .proxy)

        /// A sentence that describes the reason.
        public var description: String { value.rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// The reason for `insecureConnection`, nil if it is not about a certificate, or for `invalidSettings`.
    public let reason: Reason?
    /// Whether the server may have received the request.
    ///
    /// False only if it surely has not: such a request is safe to repeat.
    public let mayHaveReachedServer: Bool
    /// The error of the HTTP client; nil if there is no other error.
    public let underlying: (any Error)?

    /// Creates an error, for transports and their test doubles.
    public init(
        _ code: Code,
        mayHaveReachedServer: Bool,
        reason: Reason? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.reason = reason
        self.mayHaveReachedServer = mayHaveReachedServer
        self.underlying = underlying
    }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// A sentence that describes the error.
    public var description: String { reason?.description ?? code.value.rawValue }

    public var errorDescription: String? { description }
}
