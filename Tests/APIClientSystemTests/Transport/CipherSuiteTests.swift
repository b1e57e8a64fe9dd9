// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import APIClient
import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import TestSupport
import Testing

/// The cipher suites of TLS 1.2, each against a server that supports no other.
///
/// [RFC 9325, 4.2](https://www.rfc-editor.org/rfc/rfc9325#section-4.2).
@Suite(.timeLimit(.minutes(3)))
struct CipherSuiteTests {
    /// The type of a server's key, which must fit its cipher suite.
    enum ServerKey: Sendable {
        case ecdsa
        case rsa
    }

    private static func server(_ suite: NIOTLSCipher, _ key: ServerKey) async throws -> TLSServer {
        var tls =
            switch key {
            case .ecdsa: try TestCertificates.serverConfiguration()
            case .rsa:
                try TestCertificates.serverConfiguration(
                    TestRSACertificates.server,
                    key: TestRSACertificates.serverKey
                )
            }
        tls.maximumTLSVersion = .tlsv12
        tls.cipherSuiteValues = [suite]
        return try await TLSServer(tls: tls)
    }

    /// Sends a request that trusts both authorities.
    private static func send(to server: TLSServer) async throws -> TransportResponse {
        let file = try TemporaryFile(Array((TestCertificates.authority + "\n" + TestRSACertificates.authority).utf8))
        let transport = try CurlTransport(settings: TransportSettings(certificateAuthorities: file.path))
        return try await transport.send(request(server))
    }

    /// Returns whether a client with NIOSSL's usual cipher suites gets a response.
    private static func usualClientConnects(to server: TLSServer) async throws -> Bool {
        var tls = TLSConfiguration.makeClientConfiguration()
        let pem = TestCertificates.authority + "\n" + TestRSACertificates.authority
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)))
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .init(tlsConfiguration: tls))
        let response = try? await client.execute(
            HTTPClientRequest(url: "https://\(server.authority)/"),
            timeout: .seconds(60)
        )
        try await client.shutdown()
        return response?.status == .ok
    }

    private static func request(_ server: TLSServer) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: server.authority, path: "/"),
            timeout: .seconds(60)
        )
    }

    @Test(
        arguments: [
            (.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .ecdsa), (.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .ecdsa),
            (.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .ecdsa), (.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, .rsa),
            (.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, .rsa), (.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, .rsa),
        ] as [(NIOTLSCipher, ServerKey)]
    )
    func `a server with a recommended cipher suite of TLS 1.2 is accepted`(
        suite: NIOTLSCipher,
        key: ServerKey
    ) async throws {
        let server = try await Self.server(suite, key)
        #expect(try await Self.send(to: server).head.status == .ok)
    }

    @Test(
        arguments: [
            (.TLS_RSA_WITH_AES_128_GCM_SHA256, .rsa), (.TLS_RSA_WITH_AES_256_GCM_SHA384, .rsa),
            (.TLS_RSA_WITH_AES_128_CBC_SHA, .rsa), (.TLS_RSA_WITH_AES_256_CBC_SHA, .rsa),
            (.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, .rsa), (.TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA, .rsa),
            (.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, .ecdsa), (.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA, .ecdsa),
        ] as [(NIOTLSCipher, ServerKey)]
    )
    func `a server that supports only RSA key exchange or CBC gets no request`(
        suite: NIOTLSCipher,
        key: ServerKey
    ) async throws {
        let server = try await Self.server(suite, key)
        #expect(try await Self.usualClientConnects(to: server))
        let error = await #expect(throws: TransportError.self) {
            try await Self.send(to: server)
        }
        #expect(error?.code == .insecureConnection)
        #expect(error?.mayHaveReachedServer == false)
        #expect(server.requests.count == 1)
    }
}
#endif
