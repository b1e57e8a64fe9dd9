// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && os(Linux)
import AsyncHTTPClient
import NIOSSL
import Testing

@testable import APIClient

/// The value of `mayHaveReachedServer`, which decides whether a refresh token may be used again.
@Suite struct AsyncHTTPClientErrorMappingTests {
    @Test func `a request may have arrived if TLS ends without a close notification`() {
        let fault = AsyncHTTPClientErrorMapping.transportError(for: NIOSSLError.uncleanShutdown)
        #expect(fault.code == .connectionClosed)
        #expect(fault.mayHaveReachedServer)
    }

    @Test func `a request may have arrived if TLS fails after the handshake`() {
        let errors: [any Error] = [
            NIOSSLError.readInInvalidTLSState, NIOSSLError.shutdownFailed(.syscallError), BoringSSLError.syscallError,
        ]
        for error in errors {
            let fault = AsyncHTTPClientErrorMapping.transportError(for: error)
            #expect(fault.code == .insecureConnection)
            #expect(fault.mayHaveReachedServer)
        }
    }

    @Test func `a request has not arrived if the TLS handshake fails`() {
        for error in [NIOSSLError.handshakeFailed(.syscallError), .unableToValidateCertificate] {
            let fault = AsyncHTTPClientErrorMapping.transportError(for: error)
            #expect(fault.code == .insecureConnection)
            #expect(!fault.mayHaveReachedServer)
        }
    }
}
#endif
