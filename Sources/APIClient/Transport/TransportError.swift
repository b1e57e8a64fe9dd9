// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error of a request that got no complete response.
///
/// Holds no URL, no header and no credential of a proxy.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// The kind of error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        public let description: String
        fileprivate let sentence: String

        private init(_ name: String, _ sentence: String) { (description, self.sentence) = (name, sentence) }

        /// No server listens at the address, or there is no route to it.
        public static let connectionRefused = Code("connectionRefused", "The server can't be reached.")
        /// The host's name has no address.
        public static let hostNotFound = Code("hostNotFound", "The server's host name could not be resolved.")
        /// The response did not come in time.
        public static let timedOut = Code("timedOut", "The server did not respond in time.")
        /// The connection ended before the response did.
        public static let connectionClosed =
            Code("connectionClosed", "The connection closed before the response was complete.")
        /// No trusted TLS connection could be made.
        public static let insecureConnection =
            Code("insecureConnection", "No trusted TLS connection to the server could be made.")
        /// The response is larger than the request allows.
        public static let responseTooLarge = Code("responseTooLarge", "The response is too large.")
        /// The request can't be sent as it is: its address or a header field has characters that HTTP forbids, or
        /// is one that the transport writes itself.
        public static let invalidRequest = Code("invalidRequest", "The request is invalid.")
        /// No transport can be created with the settings; ``TransportError/reason`` names the faulty one.
        public static let invalidSettings = Code("invalidSettings", "The transport's settings are invalid.")
        /// The request's ``TransportRequest/sendGuard`` returned false.
        public static let notSent = Code("notSent", "The request was not sent, because it was no longer wanted.")
        /// The proxy's name has no address, or the proxy refused to pass the request on.
        public static let proxyRefused = Code("proxyRefused", "The proxy can't be found or refused the request.")
        /// Another error below HTTP; ``TransportError/underlying`` is the cause, if there is one.
        public static let failed = Code("failed", "The request failed.")
    }

    /// The reason for which a TLS connection is not trusted, or settings are invalid.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        public let description: String

        /// No trusted authority issued the server's certificate, or it is self-signed.
        public static let issuerUnknown = Reason(description: "The server's certificate has an unknown issuer.")
        /// The server's certificate is for another host.
        public static let nameMismatch = Reason(description: "The server's certificate is for another name.")
        /// A certificate in the server's chain has expired, or this machine's clock is wrong.
        public static let expired = Reason(description: "The server's certificate has expired.")
        /// A certificate in the server's chain is not valid yet, or this machine's clock is wrong.
        public static let notYetValid = Reason(description: "The server's certificate is not valid yet.")
        /// The server's certificate is not valid for another reason.
        public static let otherCertificateFault = Reason(description: "The server's certificate is not valid.")
        /// The files of the client certificate and its key are missing, damaged, encrypted or don't belong together.
        public static let clientCertificate =
            Reason(description: "The client certificate or its key can't be used.")
        /// The file of certificate authorities is missing or damaged, or holds none in PEM.
        public static let certificateAuthorities =
            Reason(description: "The file of certificate authorities can't be used.")
        /// The proxy's URL is invalid, or has an unknown scheme.
        public static let proxy = Reason(description: "The proxy's URL is invalid.")
    }

    /// The kind of error.
    public let code: Code
    /// The reason for `insecureConnection`, nil if it is not about a certificate, or for `invalidSettings`.
    public let reason: Reason?
    /// Whether the server may have received the request; false only if it surely has not, so that it is safe to repeat.
    public let mayHaveReachedServer: Bool
    /// The proxy of the request, for display: its host and port, and its status if it refused; nil if there was none.
    public let proxy: String?
    /// The error of the HTTP client, if there is one.
    public let underlying: (any Error)?

    /// Creates an error, for transports and their test doubles.
    public init(
        _ code: Code,
        mayHaveReachedServer: Bool,
        reason: Reason? = nil,
        proxy: String? = nil,
        underlying: (any Error)? = nil
    ) {
        (self.code, self.mayHaveReachedServer, self.reason) = (code, mayHaveReachedServer, reason)
        (self.proxy, self.underlying) = (proxy, underlying)
    }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    public var description: String {
        let sentence = reason?.description ?? code.sentence
        return proxy.map { "\(sentence.dropLast()) (proxy \($0))." } ?? sentence
    }

    public var errorDescription: String? { description }
}
