// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && os(Linux)
import APIClient
import AuthCore
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct TransportSettingsTests {
    private static let authority = Array(TestCertificates.authority.utf8)

    private static func request(_ authority: String, scheme: String = "https") -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/"),
            timeout: .seconds(60)
        )
    }

    private static func fault(
        _ settings: TransportSettings,
        _ request: TransportRequest,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> TransportError? {
        await #expect(throws: TransportError.self, sourceLocation: sourceLocation) {
            try await AsyncHTTPClientTransport(settings: settings).send(request)
        }
    }

    @Test(arguments: [CertificateAuthorities.only(pem: authority), .systemAnd(pem: authority)])
    func `a server with a certificate of a given authority is trusted`(authorities: CertificateAuthorities) async throws
    {
        let server = try await LocalServer.start(tls: try TestCertificates.serverConfiguration()) { _ in .respond(.ok) }
        let transport = try AsyncHTTPClientTransport(settings: .init(certificateAuthorities: authorities))
        #expect(try await transport.send(Self.request(server.authority)).head.status == .ok)
    }

    @Test func `authorities can be read from a file`() async throws {
        let file = try TemporaryFile(Self.authority)
        let server = try await LocalServer.start(tls: try TestCertificates.serverConfiguration()) { _ in .respond(.ok) }
        for authorities in [try CertificateAuthorities.only(pemFile: file.path), try .systemAnd(pemFile: file.path)] {
            let transport = try AsyncHTTPClientTransport(settings: .init(certificateAuthorities: authorities))
            #expect(try await transport.send(Self.request(server.authority)).head.status == .ok)
        }
    }

    @Test func `a server with a certificate of an unknown authority gets no request`() async throws {
        let server = try await LocalServer.start(tls: try TestCertificates.serverConfiguration()) { _ in .respond(.ok) }
        let fault = await Self.fault(TransportSettings(), Self.request(server.authority))
        #expect(fault?.code == .insecureConnection)
        #expect(fault?.mayHaveReachedServer == false)
        #expect(server.requests.isEmpty)
    }

    @Test func `a server with a certificate for another host gets no request`() async throws {
        let tls = try TestCertificates.serverConfiguration()
        let server = try await LocalServer.start(host: "127.0.0.2", tls: tls) { _ in .respond(.ok) }
        let settings = TransportSettings(certificateAuthorities: .only(pem: Self.authority))
        let fault = await Self.fault(settings, Self.request(server.authority))
        #expect(fault?.code == .insecureConnection)
        #expect(fault?.mayHaveReachedServer == false)
        #expect(server.requests.isEmpty)
    }

    @Test func `a server that supports only TLS 1.1 or older gets no request`() async throws {
        var tls = try TestCertificates.serverConfiguration()
        tls.minimumTLSVersion = .tlsv1
        tls.maximumTLSVersion = .tlsv11
        let server = try await LocalServer.start(tls: tls) { _ in .respond(.ok) }
        let settings = TransportSettings(certificateAuthorities: .only(pem: Self.authority))
        #expect(await Self.fault(settings, Self.request(server.authority))?.code == .insecureConnection)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["http", "https"])
    func `a connection that takes too long times out, and nothing was sent`(scheme: String) async throws {
        let port = try DeafPort()
        let settings = TransportSettings(connectTimeout: .milliseconds(300))
        let fault = await Self.fault(settings, Self.request("127.0.0.1:\(port.port)", scheme: scheme))
        #expect(fault?.code == .timedOut)
        #expect(fault?.mayHaveReachedServer == false)
    }

    @Test func `a TLS handshake that takes too long times out, and nothing was sent`() async throws {
        // This server accepts connections and sends nothing.
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        defer { server.close(promise: nil) }
        let port = try #require(server.localAddress?.port)
        let settings = TransportSettings(connectTimeout: .milliseconds(500))
        let fault = await Self.fault(settings, Self.request("127.0.0.1:\(port)"))
        #expect(fault?.code == .timedOut)
        #expect(fault?.mayHaveReachedServer == false)
    }

    @Test(arguments: ["", "none", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `an authority without a valid certificate is refused`(pem: String) {
        for authorities in [CertificateAuthorities.only(pem: Array(pem.utf8)), .systemAnd(pem: Array(pem.utf8))] {
            #expect(throws: TransportSettingsError(.noCertificate)) {
                try AsyncHTTPClientTransport(settings: .init(certificateAuthorities: authorities))
            }
        }
    }

    @Test(arguments: ["/no/such/file", "/"])
    func `an unreadable file of authorities is an error`(path: String) {
        #expect(throws: TransportSettingsError(.unreadableCertificates)) {
            try CertificateAuthorities.only(pemFile: path)
        }
    }
}
#endif
