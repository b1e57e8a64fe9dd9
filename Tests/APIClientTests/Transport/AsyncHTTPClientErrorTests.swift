#if AsyncHTTPClient && os(Linux)
import AsyncHTTPClient
import NIOSSL
import Testing

@testable import APIClient

/// The value of `mayHaveReachedServer`, which decides whether a refresh token may be used again.
@Suite struct AsyncHTTPClientErrorTests {
    @Test func `a TLS connection that ends without saying so may have carried the request`() {
        let fault = AsyncHTTPClientError.transportError(for: NIOSSLError.uncleanShutdown)
        #expect(fault.code == .connectionClosed)
        #expect(fault.mayHaveReachedServer)
    }

    @Test func `a TLS fault after the handshake may have carried the request`() {
        let errors: [any Error] = [
            NIOSSLError.readInInvalidTLSState, NIOSSLError.shutdownFailed(.syscallError), BoringSSLError.syscallError,
        ]
        for error in errors {
            let fault = AsyncHTTPClientError.transportError(for: error)
            #expect(fault.code == .insecureConnection)
            #expect(fault.mayHaveReachedServer)
        }
    }

    @Test func `a handshake that failed carried nothing`() {
        for error in [NIOSSLError.handshakeFailed(.syscallError), .unableToValidateCertificate] {
            let fault = AsyncHTTPClientError.transportError(for: error)
            #expect(fault.code == .insecureConnection)
            #expect(!fault.mayHaveReachedServer)
        }
    }
}
#endif
