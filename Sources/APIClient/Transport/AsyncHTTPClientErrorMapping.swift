// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && canImport(AsyncHTTPClient)
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The meaning of AsyncHTTPClient's errors, by type and code.
enum AsyncHTTPClientErrorMapping {
    static func transportError(for error: any Error) -> TransportError {
        switch error {
        case let error as TransportError:
            error
        case is BodyLengthError:
            TransportError(.bodyFailed, mayHaveReachedServer: true, underlying: error)
        case let error as HTTPClientError:
            transportError(for: error)
        case let error as NIOConnectionError:
            connectionError(error)
        case NIOSSLError.uncleanShutdown:
            // The connection ended in the middle of a response, without a TLS closure alert.
            TransportError(.connectionClosed, mayHaveReachedServer: true, underlying: error)
        case is BoringSSLError, NIOSSLError.readInInvalidTLSState, NIOSSLError.shutdownFailed,
            NIOSSLError.writeDuringTLSShutdown:
            // These errors come after the handshake: the request may have left. A failed handshake is the next case.
            TransportError(.insecureConnection, mayHaveReachedServer: true, underlying: error)
        case is NIOSSLError, is NIOSSLExtraError:
            TransportError(.insecureConnection, mayHaveReachedServer: false, underlying: error)
        case HTTPParserError.headerOverflow:
            TransportError(.responseTooLarge, mayHaveReachedServer: true, underlying: error)
        case let error as IOError where error.errnoCode == ECONNREFUSED:
            // An IP address is connected to directly, and fails with the system's own error.
            TransportError(.connectionRefused, mayHaveReachedServer: false, underlying: error)
        case is IOError, is ChannelError, is HTTPParserError:
            TransportError(.connectionClosed, mayHaveReachedServer: true, underlying: error)
        default:
            TransportError(.failed, mayHaveReachedServer: true, underlying: error)
        }
    }

    private static func connectionError(_ error: NIOConnectionError) -> TransportError {
        let foundNoAddress = error.connectionErrors.isEmpty && (error.dnsAError != nil || error.dnsAAAAError != nil)
        return TransportError(
            foundNoAddress ? .hostNotFound : .connectionRefused,
            mayHaveReachedServer: false,
            underlying: error
        )
    }

    private static func transportError(for error: HTTPClientError) -> TransportError {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout:
            TransportError(.timedOut, mayHaveReachedServer: false, underlying: error)
        case .readTimeout, .writeTimeout, .deadlineExceeded:
            TransportError(.timedOut, mayHaveReachedServer: true, underlying: error)
        case .remoteConnectionClosed:
            TransportError(.connectionClosed, mayHaveReachedServer: true, underlying: error)
        case .proxyAuthenticationRequired, .invalidProxyResponse:
            TransportError(.proxyRefused, mayHaveReachedServer: false, underlying: error)
        case .bodyLengthMismatch:
            TransportError(.bodyFailed, mayHaveReachedServer: true, underlying: error)
        case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody:
            TransportError(.invalidRequest, mayHaveReachedServer: false, underlying: error)
        default:
            TransportError(.failed, mayHaveReachedServer: true, underlying: error)
        }
    }
}
#endif
