// SPDX-License-Identifier: Apache-2.0

extension APIError {
    /// An attempt that was followed by another one.
    public struct Attempt: Sendable, Hashable {
        /// The reason for the next attempt.
        public struct Kind: Sendable, Hashable, CustomStringConvertible {
            private enum Value: String {
                case retry
                case reauthenticated
                case dpopNonce
                case redirect
            }

            private let value: Value

            /// The request was repeated after an error that may be transient.
            public static let retry = Kind(value: .retry)
            /// The request was repeated with another access token, after a 401.
            public static let reauthenticated = Kind(value: .reauthenticated)
            /// The request was repeated with the server's nonce in its proof of possession.
            public static let dpopNonce = Kind(value: .dpopNonce)
            /// A redirect was followed.
            public static let redirect = Kind(value: .redirect)

            /// The kind's name.
            public var description: String { value.rawValue }
        }

        /// The reason for the next attempt.
        public let kind: Kind
        /// The response's status; nil if there was no response.
        public let status: Int?
        /// The transport error; nil if there was a response.
        public let transportError: TransportError.Code?
        /// The pause before the next attempt.
        public let pause: Duration

        /// Creates an attempt, for clients and their test doubles.
        ///
        /// - Parameters:
        ///   - kind: The reason for the next attempt.
        ///   - status: The response's status.
        ///   - transportError: The transport error.
        ///   - pause: The pause before the next attempt.
        public init(
            _ kind: Kind,
            status: Int? = nil,
            transportError: TransportError.Code? = nil,
            pause: Duration = .zero
        ) {
            self.kind = kind
            self.status = status
            self.transportError = transportError
            self.pause = pause
        }
    }
}
